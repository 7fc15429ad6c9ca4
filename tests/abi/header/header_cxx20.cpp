#include "header.inc"
