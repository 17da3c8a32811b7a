import type { AdmittedRequest, RouteAnswer } from './admitted-request.ts';
import { authorizeRequest } from './authorize-request.ts';
import { parseFeedbackRequest } from './parse-request.ts';
import type { ProxyContext } from './proxy-context.ts';
import { MAX_TICKET_BODY_BYTES, readJsonRequest } from './read-json-request.ts';
import { callHook } from './visitor-hooks.ts';

// A ticket, and a reason of at most 1,000 characters, each of them at most 6 bytes of JSON in either half.
const MAX_BYTES = MAX_TICKET_BODY_BYTES + 32_768;

/** Answers `POST /v1/feedback`: hands a visitor's rating to the `onFeedback` hook. Source: messaging.md, EXT-6. */
export async function handleFeedback(
  { options, tickets }: ProxyContext,
  admitted: AdmittedRequest,
): Promise<RouteAnswer> {
  const { request, budget } = admitted;
  const asked = parseFeedbackRequest(await readJsonRequest(request, MAX_BYTES, budget.signal));
  const contents = await tickets.open(admitted, asked);
  await authorizeRequest(options, admitted, { route: 'feedback', connector: contents.connector });
  await callHook(options.onFeedback, asked.feedback, contents, admitted);
  return { body: { status: 'accepted' }, cookies: [] };
}
