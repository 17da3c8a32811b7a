import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent, VNode } from 'preact';
import { Button, CheckField, SelectField, TextArea, TextField } from '../../../console/ui/index.ts';
import type { BenchModel } from './bench-model.ts';
import { LOOKS, type Settings } from './settings.ts';

const TEASER = 'Can we help you to find a crossing?';

const COMMANDS = [
  ['open', 'Open'],
  ['close', 'Close'],
  ['newChat', 'New chat'],
  ['endChat', 'End chat'],
  ['logout', 'Log out'],
  ['animateLauncher', 'Move the launcher'],
  ['hideLauncher', 'Hide the launcher'],
  ['showLauncher', 'Show the launcher'],
  ['destroy', 'Destroy'],
] as const;

const LANGUAGES = [
  ['', 'Browser language'],
  ['ar', 'العربية'],
  ['de', 'Deutsch'],
  ['en', 'English'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['he', 'עברית'],
  ['it', 'Italiano'],
  ['ja', '日本語'],
  ['nl', 'Nederlands'],
  ['pl', 'Polski'],
  ['pt', 'Português'],
  ['zh', '简体中文'],
] as const;

const THEMES = [
  ['auto', 'System setting'],
  ['light', 'light'],
  ['dark', 'dark'],
] as const;

const FEATURES = [
  'files',
  'feedback',
  'privacy',
  'contact',
  'dictation',
  'emoji',
  'home',
  'history',
  'continue',
  'details',
];

/** Each condition of a proactive message, in a separate rule, with instructions for the tester. */
const RULES: Readonly<Record<string, { name: string; conditions: object; hint: string }>> = {
  page: { name: 'on this page', conditions: { page: '/*' }, hint: 'The message appears at once.' },
  afterSeconds: {
    ...{ name: 'after 3 seconds', conditions: { afterSeconds: 3 } },
    hint: 'The message appears after three seconds.',
  },
  scrollPercent: {
    ...{ name: 'scrolled halfway', conditions: { scrollPercent: 50 } },
    hint: 'Scroll the page in the frame halfway down.',
  },
  exitIntent: {
    ...{ name: 'leaving the page', conditions: { exitIntent: true } },
    hint: 'Move the pointer out of the top of the frame.',
  },
  visits: {
    ...{ name: 'on the second visit', conditions: { visits: 2 } },
    hint: 'This counts as the second visit, so the message appears at once.',
  },
};

const readField = (event: TargetedSubmitEvent<HTMLFormElement>, name: string): string => {
  event.preventDefault();
  return String(new FormData(event.currentTarget).get(name)).trim();
};

/** Commands and options of the widget in the frame. */
export function WidgetPanel({ model }: { model: BenchModel }): VNode {
  const report = useSignal<string | null>(null);
  const examine = async (): Promise<void> => {
    report.value = 'Looking …';
    report.value = (await model.call('doctor')) ?? model.status.value;
  };
  return (
    <div class="bench-form">
      <div class="bench-buttons">
        {COMMANDS.map(([name, text]) => (
          <Button key={name} onClick={() => void model.call(name)}>
            {text}
          </Button>
        ))}
        <Button onClick={() => void model.call('showBubble', TEASER)}>Show a bubble</Button>
        <Button onClick={() => void examine()}>Examine</Button>
      </div>
      <p role="status" aria-label="Widget">
        {model.status.value}
      </p>
      {report.value !== null && (
        <pre class="bench-report" role="status" aria-label="Findings">
          {report.value}
        </pre>
      )}
      <Choices model={model} />
      <WidgetForms model={model} />
    </div>
  );
}

function Choices({ model }: { model: BenchModel }): VNode {
  const { language, look, theme, features } = model.settings.value;
  const set =
    (name: keyof Settings) =>
    ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      model.set({ [name]: value });
  return (
    <>
      <SelectField label="Language" options={LANGUAGES} value={language} onChange={set('language')} />
      <SelectField
        label="Look"
        options={[['', 'plain'], ...LOOKS.map((name) => [name, name] as const)]}
        value={look}
        onChange={set('look')}
      />
      <SelectField label="Theme" options={THEMES} value={theme} onChange={set('theme')} />
      <fieldset class="bench-features">
        <legend>Features</legend>
        {FEATURES.map((name) => (
          <CheckField
            key={name}
            label={name}
            checked={features.includes(name)}
            onChange={(isOn) =>
              model.set({
                features: isOn ? [...features, name] : features.filter((other) => other !== name),
              })
            }
          />
        ))}
      </fieldset>
    </>
  );
}

function WidgetForms({ model }: { model: BenchModel }): VNode {
  const tryRule = async (id: string): Promise<void> => {
    const rule = RULES[id];
    if (rule === undefined) return;
    await model.call('forgetProactive');
    await model.call('update', { proactive: [{ id, text: TEASER, ...rule.conditions }] });
    if (model.status.value === '')
      model.status.value = `${rule.hint} It doesn’t appear after a conversation has started on this page; reload first.`;
  };
  const update = async (text: string): Promise<void> => {
    try {
      const options: unknown = JSON.parse(text || '{}');
      await model.call('update', options);
    } catch (error) {
      model.status.value = `Invalid JSON in the options: ${String(error)}`;
    }
  };
  return (
    <>
      <form onSubmit={(event) => void tryRule(readField(event, 'rule'))}>
        <SelectField
          label="Proactive message"
          name="rule"
          options={Object.entries(RULES).map(([id, { name }]) => [id, name] as const)}
        />
        <Button type="submit">Try the rule</Button>
      </form>
      <form
        onSubmit={(event) => {
          const id = readField(event, 'id');
          void model.call('identify', id === '' ? null : { id });
        }}
      >
        <TextField
          label="Visitor’s id"
          name="id"
          autocomplete="off"
          spellcheck={false}
          placeholder="nobody"
        />
        <Button type="submit">Identify</Button>
      </form>
      <form onSubmit={(event) => void update(readField(event, 'options'))}>
        <TextArea
          label="Options"
          name="options"
          rows={3}
          spellcheck={false}
          placeholder='{ "welcome": "Ahoy!" }'
        />
        <Button type="submit">Update</Button>
      </form>
    </>
  );
}
