import { errorCodes } from '@parcelway/kernel/error-codes';
import { adminStatuses } from './admin-status.ts';
import { auditActions, auditActorTypes, auditOutcomes, auditResources } from './audited-routes.ts';
import { carrierServers } from './carrier-api.ts';
import { connectableSources, connectionTestResults } from './carrier-connection-api.ts';
import { confidences } from './carrier-detection/candidate.ts';
import { linkScopes } from './console-api.ts';
import { DEPRECATION_KEYWORD, type Deprecation, deprecationSentence } from './deprecation.ts';
import { environments } from './environment.ts';
import { forecastParts } from './forecast-query-api.ts';
import { forecastStatuses } from './forecast-status.ts';
import { forecastTypes } from './forecast-submission-api.ts';
import { importPhases, importRowResults, importRowStates, importStates, spreadsheetFormats } from './import-api.ts';
import { keyStates, sessionKinds, tenantStatuses } from './key-api.ts';
import { exceptionReasons, imageTypes } from './parcel-reports.ts';
import { simulationSteps } from './sandbox-api.ts';
import { tenantScopes } from './scopes.ts';
import { CONTROL } from './text.ts';
import { eventStates, resolutionActions, waitingReasons } from './unclaimed-api.ts';
import { intakeWarningRules, warehouseEventTypes } from './warehouse-api.ts';
import { scanMatches } from './warehouse-view-api.ts';
import { attemptOutcomes, deliveryStatuses, nextAttemptReasons, replayChoices } from './webhook-delivery-api.ts';
import { disabledReasons, endpointHealthStates, endpointPayloads, endpointStatuses } from './webhook-endpoint-api.ts';
import { TEST_EVENT_TYPE, tenantEventTypes } from './webhook-event-types.ts';
import { uploadSources } from './weighing-api.ts';

/** Maps the name of each OpenAPI component to its closed list of values. */
const namedEnums: Readonly<Record<string, readonly unknown[]>> = {
  AdminStatus: adminStatuses,
  PreviousAdminStatus: ['', ...adminStatuses],
  AttemptOutcome: attemptOutcomes,
  AuditAction: auditActions,
  AuditActorType: auditActorTypes,
  AuditOutcome: auditOutcomes,
  AuditResourceType: auditResources,
  CarrierConfidence: confidences,
  CarrierServer: carrierServers,
  ConnectableSource: connectableSources,
  ConnectionTestResult: connectionTestResults,
  ConsoleLinkScope: linkScopes,
  DeliveryStatus: deliveryStatuses,
  DisabledReason: disabledReasons,
  EndpointHealthState: endpointHealthStates,
  EndpointPayload: endpointPayloads,
  EndpointStatus: endpointStatuses,
  Environment: environments,
  ErrorCode: errorCodes,
  ExceptionReason: exceptionReasons,
  BooleanText: ['true', 'false'],
  ForecastPart: forecastParts,
  ForecastStatusName: Object.keys(forecastStatuses),
  ForecastType: forecastTypes,
  ImageType: imageTypes,
  ImportPhase: importPhases,
  ImportRowResult: importRowResults,
  ImportRowState: importRowStates,
  ImportState: importStates,
  IntakeWarningRule: intakeWarningRules,
  KeyState: keyStates,
  NextAttemptReason: nextAttemptReasons,
  EventState: eventStates,
  ResolutionAction: resolutionActions,
  WaitingReason: waitingReasons,
  ReplayChoice: replayChoices,
  ScanMatch: scanMatches,
  SessionKind: sessionKinds,
  SimulationStep: simulationSteps,
  SpreadsheetFormat: spreadsheetFormats,
  TenantScope: tenantScopes,
  TenantStatus: tenantStatuses,
  TestEventType: [TEST_EVENT_TYPE, ...tenantEventTypes],
  UploadSource: uploadSources,
  WarehouseEventType: warehouseEventTypes,
  WebhookEventType: tenantEventTypes,
};

const namesByValues = new Map(Object.entries(namedEnums).map(([name, values]) => [JSON.stringify(values), name]));

/** Name of the component for a closed list of values; undefined when the list has none yet. */
function enumName(values: readonly unknown[]): string | undefined {
  return namesByValues.get(JSON.stringify(values));
}

/** A part of a JSON document. */
export type JsonObject = Record<string, unknown>;

/** Formats of this house → the ones that tools outside know, with what they leave out. */
const formats: Readonly<Record<string, JsonObject>> = {
  'iso-date-time': { format: 'date-time' },
  'https-url': { format: 'uri', pattern: '^https://' },
  'web-url': { format: 'uri', pattern: '^https?://' },
  'ip-network': {},
  identifier: {},
  'logistics-number': {},
  'visible-text': {},
};

/** How TypeBox writes a map of any names. */
const ANY_NAME = '^.*$';

/** Keywords of this house that tools outside do not know; descriptions say what they demand. */
const OWN_KEYWORDS = new Set(['formatMinimum', 'formatMaximum']);

function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** `type` of a branch → its reference, for the branches that fix it by `const`. */
function discriminatorMapping(branches: readonly unknown[], property: string, refs: readonly unknown[]): JsonObject {
  const mapping: JsonObject = {};
  branches.forEach((branch, index) => {
    const fixed = isObject(branch) && isObject(branch.properties) ? branch.properties[property] : undefined;
    const ref = refs[index];
    if (isObject(fixed) && typeof fixed.const === 'string' && isObject(ref) && ref.$ref) mapping[fixed.const] = ref.$ref;
  });
  return mapping;
}

/** A deprecated field says so in the standard keyword, and in words since when. */
function withDeprecation(source: JsonObject): JsonObject {
  const { [DEPRECATION_KEYWORD]: deprecation, ...schema } = source;
  if (deprecation === undefined) return source;
  const words = [schema.description, deprecationSentence(deprecation as Deprecation)].filter(Boolean).join('. ');
  return { ...schema, deprecated: true, description: words };
}

/** `anyOf` of a plain type and null → one schema with both types, which generators read as an optional value. */
function withNullType(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, none] = anyOf as [JsonObject, JsonObject];
  if (none.type !== 'null' || typeof value.type !== 'string' || 'enum' in value || 'const' in value) return schema;
  return { ...rest, ...value, type: [value.type, 'null'] };
}

/**
 * Collects the schemas of a document: each that has an `$id` is written once, under that name, and referred to
 * everywhere else.
 */
export class SchemaCollector {
  /** Name → schema, for `components.schemas`. */
  readonly schemas: JsonObject = {};
  readonly #forGenerators: boolean;

  /** @param options `forGenerators`: closed lists become components too, and what generators read badly is described in another way */
  constructor({ forGenerators = false }: { readonly forGenerators?: boolean } = {}) {
    this.#forGenerators = forGenerators;
  }

  /** A schema as the document holds it: a reference when it has a name, itself otherwise. */
  schema(source: unknown): unknown {
    if (Array.isArray(source)) return source.map((element) => this.schema(element));
    if (!isObject(source)) return source;
    const { $id, ...rest } = withDeprecation(source);
    if (typeof $id === 'string') return this.named($id, () => this.#convert(rest));
    return this.#enumReference(rest) ?? this.#convert(rest);
  }

  /** A reference to the schema of this name, made at its first use. */
  named(name: string, make: () => unknown): JsonObject {
    if (!Object.hasOwn(this.schemas, name)) {
      // Reserved first, so that names keep the order in which they are met.
      this.schemas[name] = {};
      this.schemas[name] = make();
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The description of the field stays at the field: several share the list. */
  #enumReference({ description, deprecated, ...list }: JsonObject): JsonObject | undefined {
    const name = this.#forGenerators && Array.isArray(list.enum) ? enumName(list.enum) : undefined;
    if (name === undefined) return undefined;
    const atField = Object.entries({ description, deprecated }).filter(([, value]) => value !== undefined);
    return { ...this.named(name, () => list), ...Object.fromEntries(atField) };
  }

  #convert(source: JsonObject): JsonObject {
    const result: JsonObject = {};
    for (const [key, value] of Object.entries(source)) {
      if (key === 'format' && typeof value === 'string') Object.assign(result, formats[value] ?? { format: value });
      else if (!OWN_KEYWORDS.has(key)) result[key] = this.schema(value);
    }
    const { discriminator, oneOf } = source;
    if (isObject(discriminator) && Array.isArray(oneOf) && typeof discriminator.propertyName === 'string') {
      const mapping = discriminatorMapping(oneOf, discriminator.propertyName, result.oneOf as unknown[]);
      result.discriminator = { ...discriminator, mapping };
    }
    return this.#forGenerators ? readable(result) : result;
  }
}

/** A map of any names in the keyword that generators read. */
function withAdditionalProperties(schema: JsonObject): JsonObject {
  const { patternProperties, ...rest } = schema;
  if (!isObject(patternProperties) || !(ANY_NAME in patternProperties)) return schema;
  return { ...rest, additionalProperties: patternProperties[ANY_NAME] };
}

/** A value or a list of such values → the list alone: no generator of typed clients writes good code for both, and a list does it all. */
function withListOnly(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, list] = anyOf as [JsonObject, JsonObject];
  return list.type === 'array' && JSON.stringify(list.items) === JSON.stringify(value) ? { ...rest, ...list } : schema;
}

const MAX_INT32 = 2 ** 31 - 1;

/** Numbers with the width that they need: generators take 32 bits where nothing is said, which is too few for money and ids. */
function withNumberFormat(schema: JsonObject): JsonObject {
  const types = [schema.type].flat();
  if (types.includes('number')) return { ...schema, format: 'double' };
  const fitsInt32 = Array.isArray(schema.enum) || Number(schema.maximum ?? Number.POSITIVE_INFINITY) <= MAX_INT32;
  return types.includes('integer') && !fitsInt32 ? { ...schema, format: 'int64' } : schema;
}

/**
 * The pattern without the control characters beyond ASCII. Generated clients hand patterns to the expressions of their language: PCRE knows no
 * \\u, and takes characters beyond ASCII for several. Descriptions name what is left out, and the platform checks it.
 */
function withPortablePattern(schema: JsonObject): JsonObject {
  const { pattern } = schema;
  if (typeof pattern !== 'string' || !pattern.includes(CONTROL)) return schema;
  return { ...schema, pattern: pattern.replace(CONTROL, '\\x00-\\x1f\\x7f') };
}

/** Names the fields that a branch requires in the branch as well: linters and generators look no further. */
function withBranchFields(schema: JsonObject): JsonObject {
  const named = (branch: unknown) =>
    isObject(branch) && Array.isArray(branch.required) && branch.properties === undefined
      ? { ...branch, properties: Object.fromEntries(branch.required.map((field) => [field, {}])), additionalProperties: true }
      : branch;
  if (!isObject(schema.properties)) return schema;
  const branches = Object.entries(schema).filter(([key]) => ['then', 'else', 'anyOf', 'oneOf'].includes(key));
  return {
    ...schema,
    ...Object.fromEntries(branches.map(([key, value]) => [key, Array.isArray(value) ? value.map(named) : named(value)])),
  };
}

/** The schema in the words that generators read. */
const readable = (schema: JsonObject): JsonObject =>
  withBranchFields(withPortablePattern(withNumberFormat(withListOnly(withNullType(withAdditionalProperties(schema))))));
