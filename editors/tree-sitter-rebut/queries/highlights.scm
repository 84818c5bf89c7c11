(comment) @comment
(text) @string
(letter) @character
(number) @number

["cases" "repeat" "until" "eof" "separated" "by" "either" "if" "where"] @keyword
["let" "subtask" "edges" "polygon" "parents" "validator" "generator" "forall" "exists"] @keyword
["over" "one" "of" "matches" "real" "decimals" "permutation" "on"] @type
["and" "or" "not" "in"] @keyword.operator
["<" "<=" "≤" ">" ">=" "≥" "=" "==" "!=" "<>" "≠" "=>" "⇒" "+" "-" "−" "*" "×" "·" "/" "%" "^" ".."] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" ";"] @punctuation.delimiter

(identifier) @variable
(field name: (identifier) @variable.member)
(constant name: (identifier) @constant)
(subtask name: (identifier) @label)
(property (identifier) @constant.builtin)
(quantifier variable: (identifier) @variable.parameter)
(call function: (identifier) @function.builtin)
