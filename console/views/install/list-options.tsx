import type { ComponentChildren, VNode } from 'preact';
import { Button, CheckField, TextArea, TextField } from '../../ui/index.ts';
import { FEATURES } from './labels.ts';

/** A field of an option with more than one line. */
export interface ListOptionProps {
  readonly label: string;
  /** The attribute. */
  readonly code: string;
  readonly hint: string;
  /** The text of the attribute. */
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

export function Fieldset({
  label,
  code,
  hint,
  problem,
  children,
}: Omit<ListOptionProps, 'value' | 'onChange'> & { children: ComponentChildren }): VNode {
  return (
    <fieldset class="install-list">
      <legend>
        {label} <code>{code}</code>
      </legend>
      <small class="quiet">{hint}</small>
      {children}
      {problem !== null && (
        <small class="problem" role="alert">
          {problem}
        </small>
      )}
    </fieldset>
  );
}

/** The parts that are off by default. */
export function FeatureChoices({ value, onChange, ...rest }: ListOptionProps): VNode {
  const chosen = new Set(value.split(/[\s,]+/).filter((name) => name !== ''));
  return (
    <Fieldset {...rest}>
      <div class="install-features">
        {FEATURES.map(([name, label, hint]) => (
          <CheckField
            key={name}
            label={label}
            hint={hint}
            checked={chosen.has(name)}
            onChange={(isOn) => {
              const names = FEATURES.map(([each]) => each);
              onChange(names.filter((each) => (each === name ? isOn : chosen.has(each))).join(' '));
            }}
          />
        ))}
      </div>
    </Fieldset>
  );
}

/** The JSON of an attribute; the fallback where it is not that. */
function read<Value>(value: string, fallback: Value): Value {
  try {
    return value === '' ? fallback : JSON.parse(value);
  } catch {
    return fallback;
  }
}

type Row = Readonly<Record<string, unknown>>;

const writeRows = (rows: readonly Row[]): string => (rows.length === 0 ? '' : JSON.stringify(rows));
const isList = (rows: unknown): rows is readonly Row[] => Array.isArray(rows);

/** Rows of fields that are one JSON list. */
function Rows({
  value,
  onChange,
  fields,
  begin,
  name,
  ...rest
}: ListOptionProps & {
  fields: readonly (readonly [
    key: string,
    label: string,
    type: 'text' | 'number' | 'switch' | 'by language',
  ])[];
  /** A new row. */
  begin: (place: number) => Row;
  /** Name of a row. */
  name: string;
}): VNode {
  const given = read<unknown>(value, []);
  const rows = isList(given) ? given : [];
  const set = (place: number, key: string, next: unknown): void =>
    onChange(
      writeRows(
        rows.map((row, each) => {
          if (each !== place) return row;
          const { [key]: _, ...others } = row;
          return next === '' || next === false ? others : { ...others, [key]: next };
        }),
      ),
    );
  return (
    <Fieldset {...rest}>
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <fieldset key={place} class="install-row" aria-label={`${name} ${place + 1}`}>
          {fields.map(([key, label, type]) =>
            type === 'by language' ? (
              <ByLanguage
                key={key}
                label={label}
                value={row[key]}
                first={String(row['text'] ?? '')}
                onChange={(texts) => set(place, key, texts)}
              />
            ) : type === 'switch' ? (
              <CheckField
                key={key}
                label={label}
                checked={row[key] === true}
                onChange={(isOn) => set(place, key, isOn)}
              />
            ) : (
              <TextField
                key={key}
                label={label}
                type={type}
                value={row[key] === undefined ? '' : String(row[key])}
                onInput={({ currentTarget: { value: text } }) =>
                  set(place, key, type === 'number' && text !== '' ? Number(text) : text)
                }
              />
            ),
          )}
          <Button
            icon="trash"
            aria-label={`Remove ${name.toLowerCase()} ${place + 1}`}
            onClick={() => onChange(writeRows(rows.filter((_, each) => each !== place)))}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      <Button onClick={() => onChange(writeRows([...rows, begin(rows.length + 1)]))}>
        Add a {name.toLowerCase()}
      </Button>
    </Fieldset>
  );
}

/** One text of a row in other languages; `first` is what a new one begins with. */
function ByLanguage({
  label,
  value,
  first,
  onChange,
}: {
  label: string;
  value: unknown;
  first: string;
  /** An empty text: there is none in any language. */
  onChange: (texts: Row | '') => void;
}): VNode {
  const texts = (typeof value === 'object' && value !== null ? value : {}) as Row;
  return (
    <>
      {Object.entries(texts).map(([tag, text]) => (
        <TextField
          key={tag}
          label={`${label} in ${nameOf(tag)}`}
          hint="Empty it to remove the language."
          value={String(text)}
          onInput={({ currentTarget: { value: next } }) => {
            const { [tag]: _, ...others } = texts;
            const left = next === '' ? others : { ...texts, [tag]: next };
            onChange(Object.keys(left).length === 0 ? '' : left);
          }}
        />
      ))}
      <AddLanguage taken={texts} onAdd={(tag) => onChange({ ...texts, [tag]: first })} />
    </>
  );
}

/** Links to policies. */
export function PolicyLinks(props: ListOptionProps): VNode {
  return (
    <Rows
      {...props}
      name="Link"
      fields={[
        ['label', 'Words', 'text'],
        ['url', 'Address', 'text'],
      ]}
      begin={() => ({ label: 'Privacy notice', url: 'https://' })}
    />
  );
}

/** Messages beside the launcher, each with its conditions. */
export function ProactiveRules(props: ListOptionProps): VNode {
  return (
    <Rows
      {...props}
      name="Message"
      fields={[
        ['id', 'Rule name', 'text'],
        ['text', 'Words', 'text'],
        ['texts', 'Words', 'by language'],
        ['from', 'Sender', 'text'],
        ['page', 'Page path', 'text'],
        ['afterSeconds', 'Seconds on page', 'number'],
        ['scrollPercent', 'Scrolled, percent', 'number'],
        ['visits', 'Minimum visits', 'number'],
        ['exitIntent', 'When the pointer leaves the page', 'switch'],
      ]}
      begin={(place) => ({ id: `rule-${place}`, text: 'Can we help?', afterSeconds: 20 })}
    />
  );
}

const TEXTS = [
  ['agentName', 'Agent’s name'],
  ['title', 'Title'],
  ['welcome', 'Welcome'],
  ['disclaimer', 'Disclaimer'],
] as const;

/** The site's own texts for each language. */
export function LocalizedTexts({ value, onChange, ...rest }: ListOptionProps): VNode {
  const given = read<unknown>(value, {});
  const byTag = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, Row>>;
  const write = (next: Readonly<Record<string, Row>>): void =>
    onChange(Object.keys(next).length === 0 ? '' : JSON.stringify(next));
  return (
    <Fieldset {...rest}>
      {Object.entries(byTag).map(([tag, texts]) => (
        <fieldset key={tag} class="install-row" aria-label={`Texts for ${tag}`}>
          <strong>{nameOf(tag)}</strong>
          {TEXTS.map(([key, label]) => (
            <TextArea
              key={key}
              label={label}
              rows={key === 'disclaimer' ? 2 : 1}
              value={String(texts[key] ?? '')}
              onInput={({ currentTarget: { value: text } }) => {
                const { [key]: _, ...others } = texts;
                write({ ...byTag, [tag]: text === '' ? others : { ...others, [key]: text } });
              }}
            />
          ))}
          <Button
            icon="trash"
            aria-label={`Remove ${nameOf(tag)}`}
            onClick={() => {
              const { [tag]: _, ...others } = byTag;
              write(others);
            }}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      <AddLanguage taken={byTag} onAdd={(tag) => write({ ...byTag, [tag]: {} })} />
    </Fieldset>
  );
}

/** Asks for a language that is not among those that are taken. */
function AddLanguage({ taken, onAdd }: { taken: Row; onAdd: (tag: string) => void }): VNode {
  return (
    <form
      class="toolbar"
      onSubmit={(event) => {
        event.preventDefault();
        const tag = String(new FormData(event.currentTarget).get('tag')).trim();
        if (tag === '' || taken[tag] !== undefined || !isTag(tag)) return;
        onAdd(tag);
        event.currentTarget.reset();
      }}
    >
      <TextField label="Language, for example de or pt-BR" name="tag" required />
      <Button type="submit">Add language</Button>
    </form>
  );
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const nameOf = (tag: string): string =>
  isTag(tag) ? `${new Intl.DisplayNames(['en'], { type: 'language' }).of(tag)} (${tag})` : tag;
