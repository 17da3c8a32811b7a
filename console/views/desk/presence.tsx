import type { VNode } from 'preact';
import { shortFormat } from '../../ui/index.ts';
import type { DeskRequest } from './desk-types.ts';

/** Whether the visitor is there, in words: `Here`, `Idle since 14:02`, `Gone since 14:02`. Nothing once the request is over. */
export function Presence({ request }: { request: DeskRequest }): VNode | null {
  const { visitor, visitor_since: since } = request;
  if (visitor === null) return null;
  const name = { here: 'Here', idle: 'Idle', gone: 'Gone' }[visitor];
  return (
    <span class="visitor" data-visitor={visitor}>
      {name}
      {since !== null && (
        <>
          {' since '}
          <time dateTime={since}>{new Date(since).toLocaleString([], shortFormat(since, Date.now()))}</time>
        </>
      )}
    </span>
  );
}
