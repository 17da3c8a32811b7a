import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Button, SelectField, TextArea } from '../../../console/ui/index.ts';
import type { BenchModel } from './bench-model.ts';
import { RECEIVED_FAULTS, SENT_FRAMES } from './frame-examples.ts';

const optionsOf = (entries: object) => Object.keys(entries).map((name) => [name, name] as const);

const SETUPS = [
  ['', 'Token proxy decides'],
  ['401', '401: session rejected'],
  ['429', '429 with Retry-After: too many requests'],
  ['500', '500: platform failed'],
] as const;

const [FIRST = ''] = Object.values(SENT_FRAMES);

/** Frames of the visitor written by hand, and the answers of a platform that fails: the log shows their effect. */
export function FramesPanel({ model }: { model: BenchModel }): VNode {
  const text = useSignal(FIRST);
  const fault = useSignal(Object.keys(RECEIVED_FAULTS)[0] ?? '');
  const setup = useSignal('');
  return (
    <div class="bench-form">
      <h2>Visitor frame</h2>
      <SelectField
        label="Example"
        options={optionsOf(SENT_FRAMES)}
        onChange={({ currentTarget: { value } }) => (text.value = SENT_FRAMES[value] ?? '')}
      />
      <TextArea
        label="Frame"
        rows={8}
        spellcheck={false}
        value={text.value}
        onInput={({ currentTarget: { value } }) => (text.value = value)}
      />
      <div class="bench-buttons">
        <Button onClick={() => void model.call('sendFrame', text.value)}>Send frame</Button>
      </div>
      <h2>Platform frame</h2>
      <SelectField
        label="Fault"
        options={optionsOf(RECEIVED_FAULTS)}
        value={fault.value}
        onChange={({ currentTarget: { value } }) => (fault.value = value)}
      />
      <div class="bench-buttons">
        <Button onClick={() => void model.call('receiveFrame', RECEIVED_FAULTS[fault.value]?.() ?? '')}>
          Show the fault
        </Button>
      </div>
      <h2>Set-up, until the next page load</h2>
      <SelectField
        label="Set-up response"
        options={SETUPS}
        value={setup.value}
        onChange={({ currentTarget: { value } }) => {
          setup.value = value;
          void model.call('failSetup', value);
        }}
      />
      <div class="bench-buttons">
        <Button onClick={() => void model.call('newChat')}>Start a new chat</Button>
        <Button onClick={() => void model.call('fillSockets')}>Use up ten sockets</Button>
        <Button onClick={() => void model.call('freeSockets')}>Release the sockets</Button>
      </div>
      <p role="status" aria-label="Frames">
        {model.status.value}
      </p>
    </div>
  );
}
