/** Finds the lines of a definition's handlers, and of parts that an error names by path. */
import type { AnyNode, Node, ObjectExpression, Program, Property } from 'acorn';

const DEFINE = 'defineAlgorithm';

export class CodePlaces {
  readonly #program: Program;
  readonly #definition: ObjectExpression | undefined;

  constructor(program: Program) {
    this.#program = program;
    this.#definition = definitionIn(program);
  }

  /** Line of a handler; if the definition only names a function, the function's line. */
  handlerLine(name: string): number | undefined {
    const property = propertyOf(this.#definition, name);
    if (property === undefined) return undefined;
    const { value } = property;
    return lineOf(value.type === 'Identifier' ? this.#functionNamed(value.name) ?? property : property);
  }

  /** @param path such as `parameters.gain.max`; names around the definition may come first. @returns line of the innermost part found. */
  pathLine(path: string): number | undefined {
    const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
    const first = steps.findIndex((step) => propertyOf(this.#definition, step) !== undefined);
    if (first < 0) return undefined;
    let [found, inner]: [Property | undefined, AnyNode | undefined] = [undefined, this.#definition];
    for (const step of steps.slice(first)) {
      const next = propertyOf(inner, step);
      if (next === undefined) break;
      [found, inner] = [next, next.value];
    }
    return found && lineOf(found);
  }

  #functionNamed(name: string): Node | undefined {
    return this.#program.body.find((statement) =>
      statement.type === 'FunctionDeclaration' && (statement.id as { readonly name: string } | null)?.name === name
    );
  }
}

const lineOf = ({ loc }: Node): number | undefined => loc?.start.line;

function propertyOf(node: AnyNode | undefined, name: string): Property | undefined {
  if (node?.type !== 'ObjectExpression') return undefined;
  return node.properties.find((property): property is Property =>
    property.type === 'Property' && keyOf(property) === name
  );
}

function keyOf({ key }: Property): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

/** The object that the first `defineAlgorithm` is called with. */
function definitionIn(node: unknown): ObjectExpression | undefined {
  if (Array.isArray(node)) return firstOf(node);
  if (typeof node !== 'object' || node === null || !('type' in node)) return undefined;
  const { type, callee, arguments: given } = node as AnyNode & { callee?: AnyNode; arguments?: AnyNode[] };
  if (type === 'CallExpression' && callee?.type === 'Identifier' && callee.name === DEFINE) {
    const [argument] = given ?? [];
    return argument?.type === 'ObjectExpression' ? argument : undefined;
  }
  return firstOf(Object.values(node));
}

function firstOf(nodes: readonly unknown[]): ObjectExpression | undefined {
  for (const inner of nodes) {
    const found = definitionIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
