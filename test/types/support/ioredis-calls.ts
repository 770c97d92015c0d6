import { createRequire } from "node:module";
import type * as TypeScript from "typescript-5";

// TypeScript 7 has no API to ask for types; that of 5.9 is CommonJS.
const ts = createRequire(import.meta.url)("typescript-5") as typeof TypeScript;

const OPTIONS: TypeScript.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  skipLibCheck: true,
};
const CALLBACK = "(error, reply) => { void [error, reply]; }";

/**
 * Calls of every command in every form that a type knows, each with and without its callback: `get("name")`.
 *
 * @param file a module that exports nothing but a variable of the type
 * @param settings where the compiler finds packages
 */
export function listCalls(file: string, settings: Pick<TypeScript.CompilerOptions, "paths" | "typeRoots">): string[] {
  const program = ts.createProgram([file], { ...OPTIONS, ...settings });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const [variable] = module === undefined ? [] : checker.getExportsOfModule(module);
  if (variable === undefined) throw new Error(`${file} exports nothing`);
  const commands = checker.getTypeOfSymbol(variable).getProperties().filter(isCommand);
  return commands.flatMap((command) => {
    const signatures = checker.getTypeOfSymbol(command).getCallSignatures();
    const forms = signatures.flatMap((signature) => listArguments(checker, command.name, signature));
    return forms.map((args) => `${command.name}(${args.join(", ")});`);
  });
}

// What else ioredis declares are spellings that need brackets.
function isCommand({ name, flags }: TypeScript.Symbol): boolean {
  return /^[a-z]\w+$/.test(name) && (flags & ts.SymbolFlags.Method) !== 0;
}

/** The arguments without what may be left out, and those with it. */
function listArguments(checker: TypeScript.TypeChecker, command: string, signature: TypeScript.Signature): string[][] {
  const needed: string[] = [];
  for (const parameter of signature.parameters) {
    const declaration = parameter.valueDeclaration as TypeScript.ParameterDeclaration;
    const type = checker.getTypeOfSymbol(parameter);
    if (declaration.questionToken !== undefined) return [needed, [...needed, writeArgument(checker, parameter.name, type)]];
    if (declaration.dotDotDotToken === undefined) needed.push(writeArgument(checker, parameter.name, type));
    else needed.push(...writeRest(checker, command, type as TypeScript.TypeReference));
  }
  return [needed];
}

function writeRest(checker: TypeScript.TypeChecker, command: string, type: TypeScript.TypeReference): string[] {
  const elements = checker.getTypeArguments(type);
  const target = type.target as TypeScript.TupleType;
  return elements.flatMap((element, index) => {
    const label = target.labeledElementDeclarations?.[index]?.name.getText() ?? "";
    const argument = writeArgument(checker, label, element);
    const isOne = ((target.elementFlags?.[index] ?? ts.ElementFlags.Rest) & ts.ElementFlags.Fixed) !== 0;
    // Of most lists two are one pair; XADD's begins with the id.
    return isOne ? [argument] : Array<string>(command.startsWith("xadd") ? 3 : 2).fill(argument);
  });
}

function writeArgument(checker: TypeScript.TypeChecker, name: string, type: TypeScript.Type): string {
  const options = type.isUnion() ? type.types : [type];
  const literal = options.find((option) => option.isStringLiteral());
  const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  if (literal?.isStringLiteral() === true) return JSON.stringify(literal.value);
  if (/callback/i.test(name)) return CALLBACK;
  if (text.startsWith("Map<")) return 'new Map([["name", "text"]])';
  if (text === "object") return '{ name: "text" }';
  if (text.endsWith("[]")) return '["name", "text"]';
  return /number/.test(text) && !/Buffer/.test(text) ? "1" : '"name"';
}
