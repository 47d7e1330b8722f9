/* The version as a text, made from the numbers of the public header. Knows nothing else. */
#ifndef ANAX_API_VERSION_H
#define ANAX_API_VERSION_H

#include "anax/anax.h"

#define VERSION_TEXT_(major, minor, patch) #major "." #minor "." #patch
#define VERSION_TEXT(major, minor, patch)  VERSION_TEXT_(major, minor, patch)
#define API_VERSION                        VERSION_TEXT(ANAX_VERSION_MAJOR, ANAX_VERSION_MINOR, ANAX_VERSION_PATCH)

#endif
