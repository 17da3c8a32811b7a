import type { VNode } from 'preact';
import { callConsole } from '../../call-platform.ts';
import { ConfirmDialog, FormDialog, SelectField, showToast } from '../../ui/index.ts';
import type { NewSecret, WebhookEndpoint } from './alert-types.ts';

/** What is asked before it is done. */
export type QuestionKind = 'delete' | 'secret' | 'test';

/** The events that there are. */
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
        submitLabel="Send the test"
        onClose={onClose}
        onSubmit={async (form) => {
          const body = { event_type: String(form.get('type')) };
          await callConsole('POST', `/webhook-endpoints/${id}/test`, { body });
          showToast('The test goes out within ten seconds; see Deliveries');
          onDone(null);
        }}
      >
        <p>
          {url} gets a signed event of a rule that does not exist, named “Test from the console”. If a pager
          is behind it, it rings.
        </p>
        <SelectField label="Event" name="type" options={EVENT_TYPES} />
      </FormDialog>
    );
  if (kind === 'secret')
    return (
      <FormDialog
        title={`New secret for ${name}?`}
        submitLabel="Replace the secret"
        onClose={onClose}
        onSubmit={async () => onDone(await callConsole<NewSecret>('POST', `/webhook-endpoints/${id}/secret`))}
      >
        <p>
          {url} refuses every event from now on, until it has the new secret. What it refuses is not sent
          again by itself: send it again from Deliveries.
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
        showToast(`${name} is deleted`);
        onDone(null);
      }}
    >
      <p>{url} is told of no alert any more. What waited for it, and its deliveries, are gone.</p>
    </ConfirmDialog>
  );
}
