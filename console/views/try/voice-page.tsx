import type { TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { Button, Card, TextArea, TextField, useAttempt } from '../../ui/index.ts';
import { CallsCard } from './calls-card.tsx';
import { type CallScope, toVoiceCalls } from './to-calls.ts';

const MOST_CHARACTERS = 1_000;

/** Speaks a text, with a player. */
export function VoicePage({ scope }: { scope: CallScope }): VNode {
  const [fields, setFields] = useState({
    text: 'The ferry to Tarrow leaves at nine twenty.',
    ...{ language: 'en', voice: '', speed: '', provider: '' },
  });
  const set =
    (name: keyof typeof fields) => (event: { readonly currentTarget: { readonly value: string } }) =>
      setFields({ ...fields, [name]: event.currentTarget.value });
  const { attempt, isBusy, result, problem } = useAttempt<{ readonly path: string }>();
  const speech = {
    ...{ text: fields.text, language: fields.language },
    config: {
      ...(fields.voice !== '' && { voice: fields.voice }),
      ...(fields.speed !== '' && { speed: Number(fields.speed) }),
    },
    ...(fields.provider !== '' && { provider: fields.provider }),
  };
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const search = `?project=${encodeURIComponent(scope.project)}`;
    await attempt(() => callConsole('POST', `/voice-preview${search}`, { body: speech }));
  };
  return (
    <div class="try-columns">
      <Card title="Text to speech">
        <form class="dialog-form" onSubmit={(event) => void onSubmit(event)}>
          <TextArea
            label="Text"
            rows={4}
            value={fields.text}
            hint={`${fields.text.length.toLocaleString()} of ${MOST_CHARACTERS.toLocaleString()} characters`}
            required
            onInput={set('text')}
          />
          <div class="try-settings">
            <TextField
              label="Language"
              value={fields.language}
              hint="For example: en, de-AT."
              required
              onInput={set('language')}
            />
            <TextField
              label="Voice"
              value={fields.voice}
              hint="Leave empty for the provider's default."
              onInput={set('voice')}
            />
            <TextField
              label="Speed"
              type="number"
              min={0.5}
              max={2}
              step="any"
              value={fields.speed}
              hint="1 is normal speed."
              onInput={set('speed')}
            />
            <TextField
              label="Provider"
              value={fields.provider}
              hint="Leave empty for the default."
              onInput={set('provider')}
            />
          </div>
          <div>
            <Button type="submit" kind="main" isBusy={isBusy}>
              Play
            </Button>
          </div>
        </form>
        <div role="status">
          {result !== null && (
            <>
              <p>Audio ready. Its address is valid for ten minutes.</p>
              {/* biome-ignore lint/a11y/useMediaCaption: the words are in the field above */}
              <audio class="try-player" controls src={result.path} />
            </>
          )}
        </div>
        {problem !== null && <p role="alert">{problem}</p>}
      </Card>
      <CallsCard calls={toVoiceCalls(scope, speech)} permission="monitoring" />
    </div>
  );
}
