import { errorCodes } from '@parcelway/kernel/error-codes';
import { adminStatuses } from './admin-status.ts';
import { auditActions, auditActorTypes, auditOutcomes, auditResources } from './audited-routes.ts';
import { carrierServers } from './carrier-api.ts';
import { connectableSources, connectionTestResults } from './carrier-connection-api.ts';
import { confidences } from './carrier-detection/candidate.ts';
import { linkScopes } from './console-api.ts';
import { environments } from './environment.ts';
import { forecastParts } from './forecast-query-api.ts';
import { forecastStatuses } from './forecast-status.ts';
import { forecastTypes } from './forecast-submission-api.ts';
import { importPhases, importRowResults, importRowStates, importStates, spreadsheetFormats } from './import-api.ts';
import { keyStates, sessionKinds, tenantStatuses } from './key-api.ts';
import { exceptionReasons, imageTypes } from './parcel-reports.ts';
import { simulationSteps } from './sandbox-api.ts';
import { tenantScopes } from './scopes.ts';
import { eventStates, resolutionActions, waitingReasons } from './unclaimed-api.ts';
import { intakeWarningRules, warehouseEventTypes } from './warehouse-api.ts';
import { scanMatches } from './warehouse-view-api.ts';
import { attemptOutcomes, deliveryStatuses, nextAttemptReasons, replayChoices } from './webhook-delivery-api.ts';
import { disabledReasons, endpointHealthStates, endpointPayloads, endpointStatuses } from './webhook-endpoint-api.ts';
import { TEST_EVENT_TYPE, tenantEventTypes } from './webhook-event-types.ts';
import { uploadSources } from './weighing-api.ts';

/** Component of the OpenAPI document → the closed list of values that it stands for. */
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
export function enumName(values: readonly unknown[]): string | undefined {
  return namesByValues.get(JSON.stringify(values));
}
