import type { VNode } from 'preact';
import { callConsole } from '../../call-platform.ts';
import { ConfirmDialog, FormDialog, SelectField, showToast } from '../../ui/index.ts';
import type { NewSecret, WebhookEndpoint } from './alert-types.ts';

/** Actions that need a confirmation. */
export type QuestionKind = 'delete' | 'secret' | 'test';

/** All event types. */
export const EVENT_TYPES = [
  ['alerts.triggered', 'alerts.triggered'],
  ['alerts.resolved', 'alerts.resolved'],
] as const;

/** Says what follows for the server behind an endpoint, and does it. `onDone` gets a new secret. */
export function EndpointQuestion({
  kind,
  endpoint: { id, name, url },
  onDone,
  onClose,
}: {
  kind: QuestionKind;
  endpoint: WebhookEndpoint;
  onDone: (made: NewSecret | null) => void;
  onClose: () => void;
}): VNode {
  if (kind === 'test')
    return (
      <FormDialog
        title={`Test ${name}`}
        submitLabel="Send test"
        onClose={onClose}
        onSubmit={async (form) => {
          const body = { event_type: String(form.get('type')) };
          await callConsole('POST', `/webhook-endpoints/${id}/test`, { body });
          showToast('Test sent. See Deliveries for the result');
          onDone(null);
        }}
      >
        <p>{url} receives a signed event for a rule named “Test from the console”. This may page someone.</p>
        <SelectField label="Event" name="type" options={EVENT_TYPES} />
      </FormDialog>
    );
  if (kind === 'secret')
    return (
      <FormDialog
        title={`New secret for ${name}?`}
        submitLabel="Replace secret"
        onClose={onClose}
        onSubmit={async () => onDone(await callConsole<NewSecret>('POST', `/webhook-endpoints/${id}/secret`))}
      >
        <p>
          {url} will reject every event until it has the new secret. Rejected events are not retried; resend
          them from Deliveries.
        </p>
      </FormDialog>
    );
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirmLabel={`Delete ${name}`}
      onClose={onClose}
      onConfirm={async () => {
        await callConsole('DELETE', `/webhook-endpoints/${id}`);
        showToast(`${name} deleted`);
        onDone(null);
      }}
    >
      <p>{url} will no longer receive alerts. Its pending events and delivery history are deleted.</p>
    </ConfirmDialog>
  );
}
