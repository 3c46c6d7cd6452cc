/**
 * A few lines in each language of notes, with everything that highlighting has to distinguish: names, strings, numbers,
 * comments.
 */
import type { PasteLanguage } from '../../src/api/content.ts';

export const CODE_SAMPLES: Readonly<Record<PasteLanguage, string>> = {
  text: 'Shopping\n  2 apples\n  1 loaf of bread\n',
  javascript: '// a sum\nexport const add = (a, b) => a + b;\nconsole.log("sum", add(1, 2));\n',
  typescript:
    '/** A point. */\ninterface Point { readonly x: number; readonly y: number }\nconst origin: Point = { x: 0, y: 0 };\n',
  json: '{\n  "name": "linkshot",\n  "size": 42,\n  "done": true,\n  "tags": ["a", null]\n}\n',
  python: 'def greet(name: str) -> str:\n    """Says hello."""\n    return f"Hello, {name}!"  # done\n',
  bash: '#!/usr/bin/env bash\nset -euo pipefail\nfor file in *.png; do\n  echo "$file: $(wc -c < "$file") bytes" # size\ndone\n',
  css: ':root { --accent: #3b5bdb; }\n.card > a:hover { color: var(--accent); margin: 0 1.5rem; } /* hover */\n',
  xml: '<?xml version="1.0"?>\n<!-- a note -->\n<note kind="short"><to>Ada</to><body>1 &lt; 2</body></note>\n',
  sql: "-- the newest\nSELECT id, title FROM content WHERE owner = 'ada' AND size > 1024 ORDER BY id DESC LIMIT 25;\n",
  rust: '/// Adds.\nfn add(a: i32, b: i32) -> i32 { a + b }\n\nfn main() { println!("{}", add(1, 2)); }\n',
  go: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("hello", 42) // greets\n}\n',
  c: '#include <stdio.h>\n\nint main(void) {\n  printf("%d\\n", 42); /* prints */\n  return 0;\n}\n',
  cpp: '#include <vector>\ntemplate <typename T> T sum(const std::vector<T>& items) {\n  T total{}; // zero\n  for (auto item : items) total += item;\n  return total;\n}\n',
  csharp:
    'public record Point(int X, int Y)\n{\n    // distance from the origin\n    public double Length => Math.Sqrt(X * X + Y * Y);\n}\n',
  yaml: '# a service\nname: linkshot\nports: [80, 443]\nlimits:\n  image: 10MB\n  secure: true\n',
};
