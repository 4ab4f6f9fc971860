/** Valid values for declared parameters, by type; known-values.ts has those that a type does not determine. */
import ts from 'typescript';
import { KNOWN_VALUES } from './known-values.js';
import { MADE_HERE } from './made-here.js';
import { isOurs, type Callable, type Declarations, type Maker, type Source } from './declarations.js';

const BYTES = 128;
const DEPTH = 6;

/** Makes values, and calls declared functions. */
export class Values {
  readonly #declarations: Declarations;
  readonly #modules = new Map<string, Record<string, unknown>>();
  readonly #byName: ReadonlyMap<string, Callable>;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
    this.#byName = new Map(declarations.callables.map((callable) => [callable.name, callable]));
  }

  /** Loads the modules that are called. */
  async load(): Promise<void> {
    for (const { from } of this.#declarations.callables) {
      const { file } = exportOf(from) ?? {};
      if (file !== undefined && !this.#modules.has(file)) {
        this.#modules.set(file, await import(file) as Record<string, unknown>);
      }
    }
  }

  /** @returns a function that makes the call with given arguments. */
  async caller({ from }: Callable): Promise<(args: readonly unknown[]) => unknown> {
    if (from.kind === 'method') {
      const object = await this.make(from.of) as Record<string, (...args: unknown[]) => unknown>;
      return (args) => object[from.name](...args);
    }
    if (from.kind === 'member') {
      const object = await this.#valueOf(from.of) as Record<string, (...args: unknown[]) => unknown>;
      return (args) => object[from.name](...args);
    }
    const called = await this.#valueOf(from) as (...args: unknown[]) => unknown;
    if (from.kind === 'new') return (args) => Reflect.construct(called, args) as unknown;
    return (args) => called(...args);
  }

  async #valueOf(from: Source): Promise<unknown> {
    if (from.kind === 'export') return this.#modules.get(from.file)?.[from.name];
    if (from.kind === 'new') return this.#valueOf(from.of);
    if (from.kind === 'member') return (await this.#valueOf(from.of) as Record<string, unknown>)[from.name];
    if (from.kind === 'result') return await this.#called(from.of);
    throw new Error(`no value: ${from.name}`);
  }

  async #called(callable: Callable): Promise<unknown> {
    return await (await this.caller(callable))(await this.args(callable));
  }

  /** An object of a type that has methods. */
  async make(type: string): Promise<unknown> {
    const known = KNOWN_VALUES[type];
    if (known) return await known();
    const maker: Maker | undefined = this.#declarations.makers.get(type);
    if (!maker) throw new Error(`no way to make ${type}: add it to known-values.ts`);
    if (maker.kind === 'call') return await this.#called(maker.of);
    if (maker.of === '') return this.#exported(maker.name);
    return (await this.make(maker.of) as Record<string, unknown>)[maker.name];
  }

  #exported(name: string): unknown {
    for (const module of this.#modules.values()) if (name in module) return module[name];
    throw new Error(`no export ${name}`);
  }

  /** Valid arguments, optional ones too where known-values.ts has them. */
  async args(callable: Callable): Promise<unknown[]> {
    const args: unknown[] = [];
    for (const { name, type, isOptional } of callable.parameters) {
      const place = `${callable.name}.${name}`;
      args.push(isOptional && !KNOWN_VALUES[place] ? undefined : await this.of(type, place));
    }
    return args;
  }

  /** A valid value of a type, for the parameter or member at `place`. */
  async of(type: ts.Type, place: string, depth = 0): Promise<unknown> {
    const paired = await this.#bytesOfPair(type, place);
    if (paired) return paired;
    const member = place.slice(place.lastIndexOf('.') + 1);
    const name = type.aliasSymbol?.name ?? type.getSymbol()?.name ?? '';
    const known = KNOWN_VALUES[place] ?? KNOWN_VALUES[name] ?? KNOWN_VALUES[`.${member}`];
    if (known) return await known();
    if (depth > DEPTH) throw new Error(`too deep: ${place}`);
    return await this.#byType(type, name, place, depth);
  }

  // eslint-disable-next-line complexity -- one line for each kind of type.
  async #byType(type: ts.Type, name: string, place: string, depth: number): Promise<unknown> {
    const { checker } = this.#declarations;
    const constraint = type.isTypeParameter() ? type.getConstraint() : undefined;
    if (constraint) return await this.of(constraint, place, depth);
    if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
    if (type.isUnion()) return await this.of(firstOf(type), place, depth);
    if (type.flags & ts.TypeFlags.BooleanLike) return true;
    if (type.flags & ts.TypeFlags.NumberLike) return 1;
    if (type.flags & ts.TypeFlags.StringLike) return 'x';
    if (type.flags & ts.TypeFlags.BigIntLike) return 1n;
    if (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) return null;
    if (name === 'Uint8Array') return new Uint8Array(BYTES);
    if (name === 'Float64Array') return new Float64Array(8);
    if (name === 'Int32Array') return new Int32Array(8);
    if (type.getCallSignatures().length > 0) return () => undefined;
    if (checker.isTupleType(type)) {
      return await Promise.all(checker.getTypeArguments(type as ts.TypeReference)
        .map((item) => this.of(item, place, depth + 1)));
    }
    if (checker.isArrayType(type) || ['Iterable', 'ReadonlySet', 'Set'].includes(name)) {
      const item = checker.getTypeArguments(type as ts.TypeReference)[0];
      return [await this.of(item, `${place}[]`, depth + 1)];
    }
    if (this.#declarations.makers.has(name)) return await this.make(name);
    if (!isOurs(type) && !type.isIntersection() && type.getSymbol()?.name !== '__type') {
      throw new Error(`no valid value for ${place}: ${checker.typeToString(type)}`);
    }
    return await this.#record(type, place, depth);
  }

  async #record(type: ts.Type, place: string, depth: number): Promise<unknown> {
    const record: Record<string, unknown> = {};
    for (const member of this.#declarations.checker.getPropertiesOfType(type)) {
      if (member.flags & ts.SymbolFlags.Optional || member.name.startsWith('__')) continue;
      const memberType = this.#declarations.checker.getTypeOfSymbol(member);
      record[member.name] = await this.of(memberType, `${place}.${member.name}`, depth + 1);
    }
    return record;
  }

  /** Bytes for `X.read` and `new X.View`, written by `X.write`. */
  async #bytesOfPair(type: ts.Type, place: string): Promise<unknown> {
    const [, name] = /^(?:new )?(\w+?)(?:\.read|\.View|View\.moveTo)\.bytes$/.exec(place) ?? [];
    const writer = name === undefined || KNOWN_VALUES[place] ? undefined : this.#byName.get(`${name}.write`);
    return writer && type.getSymbol()?.name === 'Uint8Array' ? await this.#called(writer) : undefined;
  }

  /** Whether the type is a state or a result that only the library makes. */
  isMadeHere(type: ts.Type): boolean {
    const name = type.aliasSymbol?.name ?? type.getSymbol()?.name ?? '';
    if (type.isUnion()) return type.types.some((one) => this.isMadeHere(one));
    const [of] = ['Pick', 'Omit'].includes(name) ? type.aliasTypeArguments ?? [] : [];
    return MADE_HERE.has(name) || (of !== undefined && this.isMadeHere(of));
  }

  /** Names of the members of a record, two levels deep: an error may name one that is missing. */
  members(type: ts.Type, depth = 0): string[] {
    const { checker } = this.#declarations;
    const { types } = type as Partial<ts.UnionType>;
    if (types) return types.flatMap((one) => this.members(one, depth));
    const item = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined;
    if (item) return this.members(item, depth);
    if (depth > 2 || !isOurs(type)) return [];
    return checker.getPropertiesOfType(type).filter(({ name }) => !name.startsWith('__'))
      .flatMap((member) => [member.name, ...this.members(checker.getTypeOfSymbol(member), depth + 1)]);
  }

  /** Places in an argument that an invalid value may replace: the argument, its members, the first item of a list. */
  places(type: ts.Type, value: unknown, depth = 0): string[][] {
    const { checker } = this.#declarations;
    const places: string[][] = [[]];
    if (depth === 3 || !isPlain(value)) return places;
    const declared = Array.isArray(value) ? [] : checker.getPropertiesOfType(checker.getNonNullableType(type));
    const names = new Set(Array.isArray(value) ? Object.keys(value).slice(0, 1) : Object.keys(value));
    for (const { name, flags } of declared)
      if (flags & ts.SymbolFlags.Property && !name.startsWith('__')) names.add(name);
    for (const name of names) {
      const member = checker.getPropertyOfType(checker.getNonNullableType(type), name);
      const memberType = Array.isArray(value) ?
        checker.getTypeArguments(type as ts.TypeReference)[0] :
        member && checker.getTypeOfSymbol(member);
      const inner = (value as Record<string, unknown>)[name];
      const below = memberType ? this.places(memberType, inner, depth + 1) : [[]];
      places.push(...below.map((rest) => [name, ...rest]));
    }
    return places;
  }
}

/** Whether the value is a list or a plain record. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}

function firstOf(type: ts.UnionType): ts.Type {
  const empty = ts.TypeFlags.Undefined | ts.TypeFlags.Null;
  return type.types.find(({ flags }) => (flags & empty) === 0) ?? type.types[0];
}

function exportOf(from: Source): { readonly file: string } | undefined {
  if (from.kind === 'export') return from;
  if (from.kind === 'new' || from.kind === 'member') return exportOf(from.of);
  return undefined;
}

/** A copy of `value` with another value at a place; objects that contain the place are copied, the rest is shared. */
export function withAt(value: unknown, place: readonly string[], other: unknown): unknown {
  const [name, ...rest] = place;
  if (name === undefined) return other;
  const copy: Record<string, unknown> = Array.isArray(value) ?
    [...value as unknown[]] as unknown as Record<string, unknown> :
    { ...value as object };
  copy[name] = withAt(copy[name], rest, other);
  return copy;
}
