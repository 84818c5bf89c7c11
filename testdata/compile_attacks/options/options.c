// -fplugin=/nonexistent.so
int options;
