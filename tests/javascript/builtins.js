/** Print the built-ins that the scripts use, one a line, such as `Array.at`: names that TypeScript's own libraries declare. */

const [tools, ...projects] = process.argv.slice(2);
const { API, SymbolFlags } = await import(`${tools}/node_modules/typescript/dist/api/sync/api.js`);
const { SyntaxKind } = await import(`${tools}/node_modules/typescript/dist/ast/index.js`);

const LIBRARY = /\/lib\.[\w.]+\.d\.ts$/;
const OURS = /\/static\/js\/(?!vendor)/;
const STATIC = "__type"; // the owner of what is declared for a constructor, such as Date.now
const found = new Set();

/** Note a symbol of a library. `owner` is the text before the dot. */
function note(symbol, owner) {
  const isBuiltIn = symbol?.declarations.length && symbol.declarations.every(({ path }) => LIBRARY.test(path));
  if (!isBuiltIn || !(symbol.flags & SymbolFlags.Value)) return;
  const parent = symbol.getParent()?.name;
  found.add([parent === STATIC ? owner : parent, symbol.name].filter(Boolean).join("."));
}

/** Return the nodes of a file that may name a built-in: identifiers, and the patterns that take an object apart. */
function nodesOf(file) {
  const nodes = { names: [], parts: [] };
  const collect = (node) => {
    if (node.kind === SyntaxKind.Identifier) nodes.names.push(node);
    if (node.kind === SyntaxKind.BindingElement && node.parent.kind === SyntaxKind.ObjectBindingPattern)
      nodes.parts.push(node);
    node.forEachChild(collect);
  };
  collect(file);
  return nodes;
}

const api = new API();
for (const name of projects) {
  const { program, checker } = api.updateSnapshot({ openProjects: [name] }).getProject(name);
  for (const file of program.getSourceFileNames().filter((each) => OURS.test(each))) {
    const { names, parts } = nodesOf(program.getSourceFile(file));
    const symbols = checker.getSymbolAtLocation(names);
    for (const [each, symbol] of symbols.entries()) note(symbol, names[each].parent.expression?.text);
    const types = checker.getTypeAtLocation(parts.map((part) => part.parent));
    for (const [each, type] of types.entries()) {
      const { name, propertyName } = parts[each];
      const part = type && (propertyName ?? name).text;
      if (part) note(checker.getPropertyOfType(type, part), "");
    }
  }
}
api.close();
console.log([...found].sort().join("\n"));
