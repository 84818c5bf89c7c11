// Finds the ends of lines, and deeper and shallower indentation. All three tokens are empty: the blanks behind them are
// skipped by the parser. A line also ends before `}` and before `where`.
#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"
#include <string.h>

enum TokenType { LINE_END, INDENT, DEDENT, ERROR_SENTINEL };

// rebut nests at most 32 blocks.
#define MAX_DEPTH 64

typedef struct {
  uint8_t depth;
  uint16_t indents[MAX_DEPTH];
} Scanner;

void *tree_sitter_rebut_format_external_scanner_create(void) {
  Scanner *scanner = ts_malloc(sizeof(Scanner));
  memset(scanner, 0, sizeof(Scanner));
  return scanner;
}

void tree_sitter_rebut_format_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_rebut_format_external_scanner_serialize(void *payload, char *buffer) {
  Scanner *scanner = payload;
  unsigned size = scanner->depth * sizeof(uint16_t);
  memcpy(buffer, scanner->indents, size);
  return size;
}

void tree_sitter_rebut_format_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *scanner = payload;
  scanner->depth = length / sizeof(uint16_t);
  memcpy(scanner->indents, buffer, length);
}

static bool is_word(int32_t letter) {
  return letter == '_' || (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z');
}

// Consumes a word, and returns true if there was this one.
static bool take_word(TSLexer *lexer, const char *word) {
  for (; *word; word++) {
    if (lexer->lookahead != *word) return false;
    lexer->advance(lexer, false);
  }
  return !is_word(lexer->lookahead);
}

bool tree_sitter_rebut_format_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  if (valid[ERROR_SENTINEL]) return false;
  lexer->mark_end(lexer);
  bool is_new_line = false;
  uint16_t indent = 0;
  for (;;) {
    int32_t letter = lexer->lookahead;
    if (lexer->eof(lexer)) {
      is_new_line = true;
      indent = 0;
      break;
    } else if (letter == '\n') {
      is_new_line = true;
      indent = 0;
    } else if (letter == ' ' || letter == '\r' || letter == 0xfeff) {
      indent += letter == ' ';
    } else if (letter == '\t') {
      indent += 8;
    } else if (letter == '#') {
      while (!lexer->eof(lexer) && lexer->lookahead != '\n') lexer->advance(lexer, true);
      continue;
    } else {
      break;
    }
    lexer->advance(lexer, true);
  }
  uint16_t current = scanner->depth ? scanner->indents[scanner->depth - 1] : 0;
  if (is_new_line && valid[INDENT] && indent > current && scanner->depth < MAX_DEPTH) {
    scanner->indents[scanner->depth++] = indent;
    lexer->result_symbol = INDENT;
    return true;
  }
  if (is_new_line && valid[DEDENT] && indent < current) {
    scanner->depth--;
    lexer->result_symbol = DEDENT;
    return true;
  }
  if (valid[LINE_END] && (is_new_line || lexer->lookahead == '}' || take_word(lexer, "where"))) {
    lexer->result_symbol = LINE_END;
    return true;
  }
  return false;
}
