import Type, { type Static } from 'typebox';
import { environments } from './environment.ts';
import { MAX_LIFETIME_SECONDS } from './key-api.ts';
import { object } from './object.ts';
import { instant, nullable, OPERATOR_NAME_PATTERN, oneOf } from './text.ts';

/* Who may use the operator's API. A part of admin-api.ts. */

/** What a token may do: each role may do what the ones before it may. */
export const operatorRoles = ['read', 'support', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Name of the operator whose token is ADMIN_TOKEN. No other one can have it. */
export const MAIN_OPERATOR = 'admin';
/** Most operators with tokens of their own. */
export const MAX_OPERATORS = 100;
/** States of an operator's token. */
export const operatorStates = ['active', 'revoked', 'expired'] as const;

const name = Type.String({ minLength: 1, maxLength: 32, pattern: OPERATOR_NAME_PATTERN, description: 'Name' });
const role = oneOf(operatorRoles, 'What the token may do');

/** Body that creates an operator. */
export const OperatorCreation = Type.Object(
  {
    name,
    role,
    expires_in_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_LIFETIME_SECONDS, description: 'Life of the token; default: never expires' }),
    ),
  },
  { $id: 'OperatorCreation', additionalProperties: false },
);

/** An operator without the token. */
export const Operator = object('Operator', {
  name,
  role,
  state: oneOf(operatorStates, 'active: the token works; revoked and expired tokens never work again'),
  create_time: instant('Creation'),
  expire_time: nullable(instant('Expiry; null: never')),
  revoke_time: nullable(instant('Revocation; null: none')),
  last_use_time: nullable(instant('Last use, to the minute; null: never used')),
});
export type Operator = Static<typeof Operator>;

/** An operator that was just created. */
export const CreatedOperator = object('CreatedOperator', { ...Operator.properties, token: Type.String({ description: 'Shown once' }) });
export type CreatedOperator = Static<typeof CreatedOperator>;

/** Whom the token of a request belongs to. */
export const PresentOperator = object('PresentOperator', {
  name,
  role,
  environment: oneOf(environments, 'Environment of the installation'),
});
export type PresentOperator = Static<typeof PresentOperator>;
