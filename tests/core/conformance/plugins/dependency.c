int unrulyDependency(void);
int unrulyDependency(void) { return 0; }
