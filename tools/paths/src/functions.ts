import type { Function as AnyFunction, Node, Program } from 'acorn';
import { ancestor } from 'acorn-walk';

/** A function of a module. */
export interface FoundFunction {
  readonly node: AnyFunction;
  /** Its own name with those of what it is in, such as `Relay.#loop`; a callback goes by the name of the function around it. */
  readonly name: string;
  /** From the module to the function itself. */
  readonly ancestors: readonly Node[];
}

/** The name of a property, variable or pattern; undefined when it is computed. */
function nameOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Identifier' || node?.type === 'PrivateIdentifier') {
    const { name } = node as Node & { name: string };
    return node.type === 'Identifier' ? name : `#${name}`;
  }
  if (node?.type === 'Literal') return String((node as Node & { value: unknown }).value);
  if (node?.type === 'MemberExpression') return nameOf((node as Node & { property: Node }).property);
  return undefined;
}

/** The name that an ancestor gives to what it holds: a class, a function, a method, a variable, a property. */
function nameFrom(node: Node & { id?: Node | null; key?: Node; left?: Node }): string | undefined {
  switch (node.type) {
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'VariableDeclarator':
      return nameOf(node.id);
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      return nameOf(node.key);
    case 'AssignmentExpression':
      return nameOf(node.left);
    default:
      return undefined;
  }
}

/** The name of a function with those around it, such as `Relay.#loop` or `openBus.publish`; `(module)` for one that stands alone. */
function pathOf(ancestors: readonly Node[]): string {
  const names = ancestors.flatMap((node) => nameFrom(node) ?? []);
  // A function expression may repeat the name of what it is assigned to.
  const distinct = names.filter((name, index) => name !== names[index - 1]);
  return distinct.length === 0 ? '(module)' : distinct.join('.');
}

/** All functions of a module: declared ones, methods, accessors, constructors, callbacks. */
export function functionsOf(program: Program): FoundFunction[] {
  const found: FoundFunction[] = [];
  ancestor(program, {
    Function: (node, _state, ancestors) => void found.push({ node, name: pathOf(ancestors), ancestors: [...ancestors] }),
  });
  return found;
}
