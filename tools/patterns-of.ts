import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

/** A regular expression of the source. */
export interface SourcePattern {
  /** Relative to the folder. */
  readonly file: string;
  readonly line: number;
  /** Absent where it is made of more than constants of its file. */
  readonly source: string | undefined;
  readonly flags: string;
}

/** Every regular expression in a folder's sources, tests left out: literals, and what is given to `new RegExp`. */
export function patternsOf(folder: string): readonly SourcePattern[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .flatMap((path) => patternsIn(relative(folder, path).replaceAll("\\", "/"), readFileSync(path, "utf8")));
}

export function patternsIn(file: string, text: string): readonly SourcePattern[] {
  const root = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(root);
  const found: SourcePattern[] = [];
  const visit = (node: ts.Node): void => {
    const line = root.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ file, line, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === "RegExp"
    ) {
      const [source, flags] = (node.arguments ?? []).map((argument) => textOfExpression(argument, constants));
      found.push({ file, line, source, flags: flags ?? "" });
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function constantsOf(root: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  for (const statement of root.statements) {
    if (!ts.isVariableStatement(statement) || (statement.declarationList.flags & ts.NodeFlags.Const) === 0) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer !== undefined) constants.set(name.text, initializer);
    }
  }
  return constants;
}

/** The text that an expression of constants stands for. */
function textOfExpression(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text);
    return value === undefined ? undefined : textOfExpression(value, constants);
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  let text = node.head.text;
  for (const { expression, literal } of node.templateSpans) {
    const value = textOfExpression(expression, constants);
    if (value === undefined) return undefined;
    text += value + literal.text;
  }
  return text;
}
