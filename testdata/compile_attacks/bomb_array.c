// attack: makes an object of 2 GB
// expect: compiling was stopped
char all[2000000000] = {1};
int main(void) { return all[0]; }
