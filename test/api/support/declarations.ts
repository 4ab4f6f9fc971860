/** The functions, constructors and methods that the entries of package.json declare, with their parameters. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = path.join(ROOT, 'src');

/** A parameter as it is declared. */
export interface Parameter {
  readonly name: string;
  readonly type: ts.Type;
  readonly isOptional: boolean;
}

/** Something that can be called: `dissect`, `new Bth.View`, `Engine.openQp`, `createDissector()`. */
export interface Callable {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly returns: ts.Type;
  /** The value that is called, or whose method is called. */
  readonly from: Source;
}

/** Where a value comes from: what a module exports, what a member of another value is, or what a call returns. */
export type Source = { readonly kind: 'export'; readonly file: string; readonly name: string } | {
  readonly kind: 'new';
  readonly of: Source;
} | { readonly kind: 'method'; readonly of: string; readonly name: string } | {
  readonly kind: 'member';
  readonly of: Source;
  readonly name: string;
} | {
  readonly kind: 'result';
  readonly of: Callable;
};

/** How to obtain an object of a class or an interface with methods. */
export type Maker = { readonly kind: 'call'; readonly of: Callable } | {
  readonly kind: 'member';
  readonly of: string;
  readonly name: string;
};

export interface Declarations {
  readonly checker: ts.TypeChecker;
  readonly callables: readonly Callable[];
  /** Makers by the name of the type. */
  readonly makers: ReadonlyMap<string, Maker>;
}

interface PackageJson {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** Source files of the entries, without the modules for pages (.d.mts), whose exports are those of other entries. */
function entryFiles(): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as PackageJson;
  return Object.values(exports).flatMap((entry) =>
    typeof entry !== 'string' && entry.types.endsWith('.d.ts') ?
      [path.join(ROOT, entry.types.replace('./dist/', 'src/').replace('.d.ts', '.ts'))] :
      []
  );
}

/** Reads everything that is declared in `src` and reachable from an entry. */
export function readDeclarations(): Declarations {
  const files = entryFiles();
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram(files, options);
  const reader = new Reader(program.getTypeChecker());
  for (const file of files) reader.readFile(program, file);
  return reader;
}

class Reader implements Declarations {
  readonly checker: ts.TypeChecker;
  readonly callables: Callable[] = [];
  readonly makers = new Map<string, Maker>();
  readonly #seen = new Set<ts.Symbol>();

  constructor(checker: ts.TypeChecker) {
    this.checker = checker;
  }

  readFile(program: ts.Program, file: string): void {
    const source = program.getSourceFile(file);
    const module = source && this.checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`no module: ${file}`);
    for (const exported of this.checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? this.checker.getAliasedSymbol(exported) : exported;
      if ((symbol.flags & ts.SymbolFlags.Value) === 0 || this.#seen.has(symbol)) continue;
      this.#seen.add(symbol);
      this.#readValue(symbol, { kind: 'export', file, name: exported.name });
    }
  }

  #readValue(symbol: ts.Symbol, from: Source & { kind: 'export' }): void {
    const type = this.checker.getTypeOfSymbol(symbol);
    const construct = type.getConstructSignatures();
    for (const signature of construct) {
      if (isInternal(signature.declaration)) continue;
      const made = this.#add(`new ${from.name}`, signature, { kind: 'new', of: from });
      this.#reach(signature.getReturnType(), { kind: 'call', of: made });
      this.makers.set(from.name, { kind: 'call', of: made });
    }
    for (const signature of type.getCallSignatures()) this.#readFunction(from.name, signature, from);
    const isPlain = construct.length === 0 && type.getCallSignatures().length === 0;
    // The type of a header is an intersection of others.
    if (isPlain && (isOurs(type) || (type.isIntersection() && from.file.endsWith('/wire/index.ts')))) {
      // A type of the same name describes the value that the header reads and writes.
      if ((symbol.flags & ts.SymbolFlags.Type) === 0)
        this.makers.set(from.name, { kind: 'member', of: '', name: from.name });
      this.#readMethods(from.name, type, from);
    }
  }

  #readFunction(name: string, signature: ts.Signature, from: Source): void {
    const callable = this.#add(name, signature, from);
    const returned = this.#awaited(signature.getReturnType());
    this.#reach(returned, { kind: 'call', of: callable });
    for (const inner of returned.getCallSignatures()) this.#add(`${name}()`, inner, { kind: 'result', of: callable });
  }

  #awaited(type: ts.Type): ts.Type {
    return this.checker.getAwaitedType(type) ?? type;
  }

  #add(name: string, signature: ts.Signature, from: Source): Callable {
    const parameters = signature.getParameters().flatMap((parameter) => this.#parametersOf(parameter));
    const callable = { name, parameters, returns: signature.getReturnType(), from };
    this.callables.push(callable);
    return callable;
  }

  #parametersOf(parameter: ts.Symbol): Parameter[] {
    const declaration = parameter.valueDeclaration;
    const type = this.checker.getTypeOfSymbol(parameter);
    const isDeclared = declaration !== undefined && ts.isParameter(declaration);
    // Rest parameters that repeat the parameters of another function.
    if (isDeclared && declaration.dotDotDotToken && this.checker.isTupleType(type)) {
      const { labeledElementDeclarations: labels = [], elementFlags } = (type as ts.TupleTypeReference).target;
      return this.checker.getTypeArguments(type as ts.TypeReference).map((item, index) => ({
        name: labels[index]?.name.getText() ?? 'options',
        type: item,
        isOptional: (elementFlags[index]! & ts.ElementFlags.Optional) !== 0,
      }));
    }
    const isOptional = isDeclared && (declaration.questionToken !== undefined || declaration.initializer !== undefined);
    // A destructured parameter has no name.
    return [{ name: parameter.name.startsWith('__') ? 'options' : parameter.name, type, isOptional }];
  }

  /** Adds the methods of the package's own objects that a call returns or a member holds. */
  #reach(type: ts.Type, maker: Maker): void {
    const symbol = type.getSymbol();
    if (!symbol || !isOurs(type) || this.makers.has(symbol.name)) return;
    const members = this.checker.getPropertiesOfType(type);
    if (!members.some((member) => this.#isMethod(member))) return;
    this.makers.set(symbol.name, maker);
    this.#readMethods(symbol.name, type);
    for (const member of members) {
      if (this.#isMethod(member) || !isPublic(member)) continue;
      this.#reach(this.checker.getTypeOfSymbol(member), { kind: 'member', of: symbol.name, name: member.name });
    }
  }

  /** @param from the source of an exported owner; without it, the owner has to be made. */
  #readMethods(owner: string, type: ts.Type, from?: Source): void {
    for (const member of this.checker.getPropertiesOfType(type)) {
      const { name } = member;
      const place: Source = from ? { kind: 'member', of: from, name } : { kind: 'method', of: owner, name };
      if (from && isPublic(member)) this.#readConstructors(`${owner}.${name}`, member, place);
      if (!this.#isMethod(member) || !isPublic(member) || member.name.startsWith('__')) continue;
      for (const signature of this.checker.getTypeOfSymbol(member).getCallSignatures()) {
        this.#readFunction(`${owner}.${name}`, signature, place);
      }
    }
  }

  /** Adds the constructors that are members, such as the view of a header. */
  #readConstructors(name: string, member: ts.Symbol, of: Source): void {
    for (const signature of this.checker.getTypeOfSymbol(member).getConstructSignatures()) {
      const made = this.#add(`new ${name}`, signature, { kind: 'new', of });
      this.#reach(signature.getReturnType(), { kind: 'call', of: made });
    }
  }

  #isMethod(member: ts.Symbol): boolean {
    return this.checker.getTypeOfSymbol(member).getCallSignatures().length > 0;
  }
}

/** Whether the type is declared in `src`. */
export function isOurs(type: ts.Type): boolean {
  return type.getSymbol()?.declarations?.some((node) => node.getSourceFile().fileName.startsWith(SOURCES)) ?? false;
}

function isPublic(member: ts.Symbol): boolean {
  const isHidden = member.name.startsWith('#') ||
    (member.declarations ?? []).some((node) => isInternal(node) || isProtected(node));
  return !isHidden && (member.declarations?.some((node) => node.getSourceFile().fileName.startsWith(SOURCES)) ?? false);
}

function isProtected(node: ts.Node): boolean {
  return ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) =>
      kind === ts.SyntaxKind.ProtectedKeyword || kind === ts.SyntaxKind.PrivateKeyword
    );
}

/** Whether the node is marked `@internal`. */
function isInternal(node: ts.Node | undefined): boolean {
  return node !== undefined && ts.getJSDocTags(node).some((tag) => tag.tagName.text === 'internal');
}
