extern "C" int sixrung_test_symbol_nobody_has(void);
extern "C" __attribute__((visibility("default"))) int sixrung_test_uses_it(void) {
  return sixrung_test_symbol_nobody_has();
}
