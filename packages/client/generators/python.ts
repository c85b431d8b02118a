import { errorCatalog } from '../../service/src/domain/errorCatalog.js';
import {
  type ClientModel,
  type ClientOperation,
  type ClientType,
  type Shape,
  splitNull,
} from '../../service/src/pages/docs/clientModel.js';
import { argument, pascal, snake } from '../../service/src/pages/docs/clientNames.js';
import type { Enumerations } from './enumerations.js';

/** Names that a class body can have as a member. */
const MEMBER =
  /^(?!(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield)$)[A-Za-z]\w*$/;

/** The generated modules of packages/python. */
export function pythonFiles(model: ClientModel, enumerations: Enumerations): Record<string, string> {
  return {
    'types.py': typesModule(model, enumerations),
    'operations.py': operationsModule(model, enumerations),
    'error_codes.py': errorsModule(),
  };
}

function typesModule({ shapes }: ClientModel, enumerations: Enumerations): string {
  const envelopes = [...shapes.keys()].filter((name) => name.endsWith('Envelope'));
  return `"""What operations take and return, with members as in the API. Written by generate.ts."""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired
elif sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    NotRequired = Optional

${[...enumerations.sets].map(([name, values]) => `${name} = ${literal(values)}\n`).join('')}
${[...shapes.values()].map((shape) => shapeClass(shape, enumerations)).join('\n')}
Envelope = Union[${envelopes.map((name) => `'${name}'`).join(', ')}]


class Reset(TypedDict):
    """Envelopes were missed: read the current data, then go on."""
    type: Literal['reset']
    reason: str
`;
}

function shapeClass({ name, members, variants }: Shape, enumerations: Enumerations): string {
  if (variants.length > 0) return `${name} = Union[${variants.map((one) => `'${one}'`).join(', ')}]\n`;
  const lines = members.map(({ name: member, type, isRequired }) => {
    const text = typeText(type, enumerations, '');
    return [member, isRequired ? text : `NotRequired[${text}]`] as const;
  });
  if (lines.every(([member]) => MEMBER.test(member))) {
    const body = lines.map(([member, text]) => `    ${member}: ${text}\n`).join('');
    return `\nclass ${name}(TypedDict):\n${body || '    pass\n'}\n`;
  }
  const entries = lines.map(([member, text]) => `    '${member}': ${JSON.stringify(text)},\n`).join('');
  return `${name} = TypedDict('${name}', {\n${entries}})\n`;
}

/** @param module in which shapes are, with a dot */
function typeText(type: ClientType, enumerations: Enumerations, module: string): string {
  const inner = (one: ClientType) => typeText(one, enumerations, module);
  switch (type.kind) {
    case 'text':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'any':
      return 'Any';
    case 'values': {
      const name = enumerations.nameOf(type.values);
      return name === undefined ? literal(type.values) : module + name;
    }
    case 'list':
      return `List[${inner(type.of)}]`;
    case 'map':
      return `Dict[str, ${inner(type.of)}]`;
    case 'shape':
      return module + type.name;
    case 'union': {
      const { type: own, isNullable } = splitNull(type);
      if (isNullable) return `Optional[${inner(own)}]`;
      return `Union[${type.of.map(inner).join(', ')}]`;
    }
  }
}

function literal(values: readonly unknown[]): string {
  const texts = values.map((value) => {
    if (typeof value === 'string') return `'${value}'`;
    return value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : String(value);
  });
  return `Literal[${texts.join(', ')}]`;
}

function operationsModule({ operations }: ClientModel, enumerations: Enumerations): string {
  const methods = operations.filter(({ isStream }) => !isStream);
  return `"""A method for each operation. Written by generate.ts."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Union, cast

from .transport import Headers, Part, Transport, new_key

if TYPE_CHECKING:
    from . import types as t


class Operations(Transport):
    """Arguments: the parts of the path, then the body, or the query if there is no body."""

${methods.map((operation) => method(operation, enumerations)).join('\n')}`;
}

function method(operation: ClientOperation, enumerations: Enumerations): string {
  const { id, path, pathNames, body, query, isKeyed, answer, items } = operation;
  const parts = pathNames.map(argument);
  const queryType = query && `t.${query.name}`;
  const firstOf = (name: string, type: string, isRequired: boolean) =>
    isRequired ? `${name}: ${type}` : `${name}: Optional[${type}] = None`;
  const bodyType = body && typeText(body.type, enumerations, 't.');
  const parameters = [
    'self',
    ...parts.map((name) => `${name}: Part`),
    ...(body && bodyType
      ? [firstOf('body', body.takesCsv ? `Union[${bodyType}, str, bytes]` : bodyType, body.isRequired)]
      : []),
    ...(queryType && !body ? [firstOf('query', queryType, query.isRequired)] : []),
    '*',
    ...(queryType && body ? [firstOf('query', queryType, query.isRequired)] : []),
  ];
  const sent = [
    `'${operation.method}'`,
    `'${path}'`,
    ...(parts.length > 0 ? [`(${parts.join(', ')},)`] : []),
    ...(body ? ['body=body'] : []),
    ...(query ? ['query=query'] : []),
    ...(isKeyed ? ['key=idempotency_key or new_key()'] : []),
    ...(body?.mediaType.startsWith('text/') ? [`text_type='${body.mediaType}'`] : []),
    'headers=headers',
  ];
  const options = [...(isKeyed ? ['idempotency_key: Optional[str] = None'] : []), 'headers: Headers = None'];
  const returned = answer ? typeText(answer, enumerations, 't.') : 'None';
  const call = `self._send(${sent.join(', ')})`;
  const own = `    def ${snake(id)}(${[...parameters, ...options].join(', ')}) -> ${returned}:
        """${operation.summary}."""
        ${answer ? `return cast('${returned.replaceAll("'", '"')}', ${call})` : call}
`;
  if (items?.type.kind !== 'list') return own;
  const next = `lambda more: self.${snake(id)}(${[...parts, 'more'].join(', ')}, headers=headers)`;
  const variants = [
    [
      'each',
      typeText(items.type.of, enumerations, 't.'),
      `'${items.name}', `,
      'Every item, page after page.',
    ],
    ['pages', returned, '', 'The pages, one after the other.'],
  ] as const;
  return [
    own,
    ...variants.map(
      ([name, type, argument, text]) =>
        `    def ${snake(id)}_${name}(${[...parameters, ...options].join(', ')}) -> Iterator[${type}]:
        """${text}"""
        return self._${name}(${argument}${next}, query)
`,
    ),
  ].join('\n');
}

function errorsModule(): string {
  const codes = Object.keys(errorCatalog).map((code) => [code, errorClass(code)] as const);
  return `"""An exception for each code of errors. Written by generate.ts."""
from typing import Dict, Type

from .errors import ReliabilityError

${codes.map(([, name]) => `\nclass ${name}(ReliabilityError):\n    pass\n\n`).join('')}
BY_CODE: Dict[str, Type[ReliabilityError]] = {
${codes.map(([code, name]) => `    '${code}': ${name},\n`).join('')}}
`;
}

/** `USER_NOT_FOUND` gives `UserNotFoundError`. */
export function errorClass(code: string): string {
  return `${pascal(code.toLowerCase()).replace(/Error$/, '')}Error`;
}
