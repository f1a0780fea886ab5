// Whether the tests and the program run under the address sanitizer, some ten times slower.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define JOUNCE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JOUNCE_SANITIZED 1
#endif
#endif
