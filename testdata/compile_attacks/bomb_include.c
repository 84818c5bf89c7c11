// attack: includes itself twice, up to the maximum depth
// expect: compiling was stopped
#if __INCLUDE_LEVEL__ < 60
#include __FILE__
#include __FILE__
#endif
