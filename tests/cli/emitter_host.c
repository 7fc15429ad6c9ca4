/* The smallest host an emitter can meet: loads one plugin, hands its emitter a program of made-up
 * bytes, prints the status. So what an emitter does with files is tested without a conversion.
 *
 * emitter_host PLUGIN PATH [option=value]...
 * Environment: CHUNKS how many pieces the program has; FAIL_AT the piece the host fails at; WAIT_AT the
 * piece at which it prints "waiting" and waits for a signal. */
#include "sixrung/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sixrung_status {
  uint32_t code;
  char message[8192];
  char hint[2048];
};

static sixrung_emitter emitter;
static const char *target;
static sixrung_named_arg options[16];
static uint32_t option_count;

static sixrung_str str(const char *text) {
  sixrung_str s = {text, strlen(text)};
  return s;
}
static long number(const char *name, long fallback) {
  const char *value = getenv(name);
  return value ? atol(value) : fallback;
}

static sixrung_status *status_create(uint32_t code, const char *message, uint64_t size) {
  sixrung_status *status = calloc(1, sizeof *status);
  status->code = code;
  memcpy(status->message, message, size < sizeof status->message ? size : sizeof status->message - 1);
  return status;
}
static void status_release(sixrung_status *status) { free(status); }
static void status_add(sixrung_status *status, sixrung_str key, sixrung_str value) {
  if (key.size == 4 && memcmp(key.data, "hint", 4) == 0)
    memcpy(status->hint, value.data, value.size < sizeof status->hint ? value.size : sizeof status->hint - 1);
}
static uint32_t status_code(const sixrung_status *status) { return status ? status->code : 0; }
static sixrung_str status_message(const sixrung_status *status) { return str(status->message); }

static sixrung_status *add_emitter(sixrung_transaction transaction, const sixrung_emitter *entry) {
  (void)transaction;
  emitter = *entry;
  return NULL;
}
static sixrung_status *emission_info(sixrung_emission emission, sixrung_emission_info *out) {
  (void)emission;
  out->path = str(target);
  out->options = options;
  out->option_count = option_count;
  return NULL;
}
static sixrung_status *emission_serialize(sixrung_emission emission, uint32_t format, sixrung_sink_fn sink,
                                          void *user) {
  (void)emission;
  long chunks = number("CHUNKS", 4), fail_at = number("FAIL_AT", -1), wait_at = number("WAIT_AT", -1);
  for (long i = 0; i < chunks; ++i) {
    if (i == fail_at)
      return status_create(SIXRUNG_INTERNAL, "the host failed", 15);
    if (i == wait_at) {
      puts("waiting");
      fflush(stdout);
      sleep(2); /* cut short by the signal, unless it came before */
    }
    char piece[64];
    int size = snprintf(piece, sizeof piece, "format %u piece %ld\n", format, i);
    sixrung_status *status = sink(user, piece, (uint64_t)size);
    if (status)
      return status;
  }
  return NULL;
}

int main(int argc, char **argv) {
  void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) {
    fprintf(stderr, "usage or dlopen: %s\n", argc > 2 ? dlerror() : "emitter_host PLUGIN PATH [option=value]...");
    return 70;
  }
  target = argv[2];
  for (int i = 3; i < argc && option_count < 16; ++i) {
    char *equals = strchr(argv[i], '=');
    if (!equals)
      return 70;
    sixrung_named_arg option = {{argv[i], (uint64_t)(equals - argv[i])},
                                {SIXRUNG_ARG_STRING, (uint32_t)strlen(equals + 1), (uint64_t)(uintptr_t)(equals + 1)}};
    options[option_count++] = option;
  }
  static sixrung_host host;
  host.struct_size = sizeof host;
  host.abi_major = SIXRUNG_ABI_MAJOR;
  host.abi_minor = SIXRUNG_ABI_MINOR;
  host.status_create = status_create;
  host.status_release = status_release;
  host.status_add = status_add;
  host.status_code = status_code;
  host.status_message = status_message;
  host.add_emitter = add_emitter;
  host.emission_info = emission_info;
  host.emission_serialize = emission_serialize;

  sixrung_entry_fn entry = NULL;
  *(void **)&entry = dlsym(library, SIXRUNG_ENTRY_NAME_STRING);
  void *state = NULL;
  sixrung_transaction transaction = {1};
  sixrung_emission emission = {1};
  sixrung_status *status = entry()->init(&host, transaction, &state);
  if (!status)
    status = emitter.fn(&host, emitter.user, emission);
  if (!status) {
    puts("ok");
    return 0;
  }
  printf("code %u\n%s\nhint: %s\n", status->code, status->message, status->hint);
  status_release(status);
  return 1;
}
