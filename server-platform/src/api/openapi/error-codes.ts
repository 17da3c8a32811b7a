import type { Operation, PlatformErrorCode } from '@natter/sdk';

// Codes that every operation with this status may return. Source: rest.md 1.3 to 1.6.
const SHARED: Readonly<Record<number, readonly PlatformErrorCode[]>> = {
  400: ['SCHEMA_VALIDATION_FAILED'],
  401: ['AUTH_INVALID_API_KEY'],
  403: ['USER_ACCESS_FORBIDDEN'],
  405: ['METHOD_NOT_ALLOWED'],
  409: ['RESOURCE_LIMIT_EXCEEDED'],
  410: ['ChatConversationEnded'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: ['SCHEMA_VALIDATION_FAILED'],
  429: ['RATE_LIMITED'],
  500: ['INTERNAL_ERROR'],
  501: ['NOT_IMPLEMENTED'],
};

// Operations with an `Idempotency-Key` use these statuses for nothing else. Source: C-15.
const IDEMPOTENT: Readonly<Record<number, readonly PlatformErrorCode[]>> = {
  409: ['IDEMPOTENCY_KEY_IN_USE'],
  422: ['IDEMPOTENCY_KEY_REUSED'],
};

/** Error codes of single operations, by operation id. */
const OWN: Readonly<Record<string, Readonly<Record<number, readonly PlatformErrorCode[]>>>> = {
  chatCreate: {
    400: ['CHAT_DRAFT_NOT_EXIST'],
    404: ['VARIANT_NOT_FOUND'],
    500: ['CHAT_DRAFT_DEPLOYMENT_FAILED'],
  },
  chatRespond: {
    400: ['CHAT_TIMEOUT', 'CHAT_DRAFT_NOT_EXIST'],
    404: ['CONVERSATIONS_NOT_FOUND'],
    500: ['CHAT_DRAFT_DEPLOYMENT_FAILED'],
  },
  chatClose: { 404: ['CONVERSATIONS_NOT_FOUND'] },
  conversationsListV2: { 400: ['GET_CONVERSATIONS_FILTER_PARSE_ERROR'] },
  conversationsListV3: { 400: ['GET_CONVERSATIONS_FILTER_PARSE_ERROR'] },
  conversationGet: { 404: ['CONVERSATIONS_NOT_FOUND'] },
  externalEventSend: { 404: ['ACCOUNT_NOT_FOUND', 'PROJECT_NOT_FOUND'] },
  numberReserve: { 404: ['NOT_FOUND'] },
  voiceGenerateAudio: { 502: ['SPEECH_PROVIDER_FAILED'] },
  alertRuleCreate: { 502: ['MONITORING_SYNC_FAILED'] },
  alertRuleGet: { 404: ['NOT_FOUND'] },
  alertRuleUpdate: { 404: ['NOT_FOUND'], 502: ['MONITORING_SYNC_FAILED'] },
  alertRuleDelete: { 404: ['NOT_FOUND'] },
  webhookEndpointGet: { 404: ['NOT_FOUND'] },
  webhookEndpointUpdate: { 404: ['NOT_FOUND'] },
  webhookEndpointDelete: { 404: ['NOT_FOUND'] },
  webhookSecretRotate: { 404: ['NOT_FOUND'] },
  handoffEventSend: { 404: ['NOT_FOUND'] },
  handoffGet: { 404: ['HANDOFF_STATE_NOT_FOUND'] },
  erase: { 404: ['NOTHING_TO_ERASE'] },
};

/** Every `error_code` that an operation may return with this status. */
export function errorCodesOf(operation: Operation, status: number): readonly PlatformErrorCode[] {
  const { id, pathParameters, needsConnectorToken, takesIdempotencyKey } = operation;
  const names = Object.keys(pathParameters);
  const place: PlatformErrorCode[] = [];
  // A host without a region is refused before the path is read (C-2).
  if (status === 404) place.push('REGION_REQUIRED');
  if (status === 404 && names.includes('account_id')) place.push('ACCOUNT_NOT_FOUND');
  if (status === 404 && (names.includes('project_id') || names.includes('agentId')))
    place.push('PROJECT_NOT_FOUND');
  if (status === 401 && needsConnectorToken) place.push('AUTH_INVALID_CONNECTOR_TOKEN');
  const shared = takesIdempotencyKey === true ? IDEMPOTENT[status] : undefined;
  return [...(shared ?? SHARED[status] ?? []), ...place, ...(OWN[id]?.[status] ?? [])];
}
