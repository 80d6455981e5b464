/**
 * Prints what files of TypeScript name: `path<tab>line<tab>name|title|cast<tab>text`. Their paths come in on standard input,
 * one per line. A name counts where it is given, from the syntax tree: a use of it, a key that is sent, a text do not. A cast
 * is a type that is claimed (`as`), and not `as const`.
 */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

const TESTS = new Set(['test', 'it', 'describe', 'suite'])

/** Keys of an object literal may be the wire's; what is only used or handed on has its name from elsewhere. */
const isUse = (node: ts.Node) =>
  ts.isPropertyAccessExpression(node) ||
  ts.isPropertyAssignment(node) ||
  ts.isShorthandPropertyAssignment(node) ||
  ts.isJsxAttribute(node) ||
  ts.isExportSpecifier(node) ||
  ts.isMetaProperty(node) ||
  (ts.isImportSpecifier(node) && node.propertyName === undefined)

/** The name of a node's declaration. */
function nameOf(node: ts.Node): ts.Identifier | ts.PrivateIdentifier | undefined {
  const name = (node as ts.NamedDeclaration).name
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && !isUse(node) ? name : undefined
}

/** `test`, `test.each(…)`, `it.skip` …: the function at the root of what is called. */
function rootOf(called: ts.Expression): string {
  if (ts.isIdentifier(called)) return called.text
  if (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) return rootOf(called.expression)
  return ts.isTaggedTemplateExpression(called) ? rootOf(called.tag) : ''
}

function titleOf(node: ts.Node): ts.StringLiteralLike | undefined {
  if (!ts.isCallExpression(node) || !TESTS.has(rootOf(node.expression))) return undefined
  const [title] = node.arguments
  return title && ts.isStringLiteralLike(title) && node.arguments.length > 1 ? title : undefined
}

function castOf(node: ts.Node): ts.TypeNode | undefined {
  return ts.isAsExpression(node) && !ts.isConstTypeReference(node.type) ? node.type : undefined
}

function list(path: string): void {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const print = (kind: string, node: ts.Node, text: string) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
    process.stdout.write(`${path}\t${line}\t${kind}\t${text}\n`)
  }
  const visit = (node: ts.Node): void => {
    const [name, title, cast] = [nameOf(node), titleOf(node), castOf(node)]
    if (name) print('name', name, name.text)
    if (title) print('title', title, title.text.replace(/\s+/g, ' '))
    if (cast) print('cast', cast, cast.getText(source).replace(/\s+/g, ' '))
    ts.forEachChild(node, visit)
  }
  visit(source)
}

for (const path of readFileSync(0, 'utf8').split('\n').filter(Boolean)) list(path)
