// attack: includes itself twice, up to the maximum depth
// expect: compiling was stopped: it takes more than 1 s of processor time
#if __INCLUDE_LEVEL__ < 60
#include __FILE__
#include __FILE__
#endif
