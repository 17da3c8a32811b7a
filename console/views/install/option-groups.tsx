import type { ComponentChildren, VNode } from 'preact';
import { ATTRIBUTES } from '../../../src/embed/attributes.ts';
import type { SearchChanges } from '../../location.ts';
import { tokenProxyUrl } from '../../session.ts';
import { SelectField, TextArea, TextField } from '../../ui/index.ts';
import { HoursField } from './hours-field.tsx';
import { CHOICES, HINTS, LABELS } from './labels.ts';
import { FeatureChoices, LocalizedTexts, PolicyLinks, ProactiveRules } from './list-options.tsx';
import {
  type AttributeName,
  attributeChange,
  DESCRIPTIONS,
  findProblem,
  OPTION_GROUPS,
  PROPERTIES,
  propertyChange,
  type Setup,
  THEMES,
} from './options.ts';

interface GroupsProps {
  readonly setup: Setup;
  readonly change: (changes: SearchChanges) => void;
}

const LONG: ReadonlySet<string> = new Set<AttributeName>(['welcome', 'disclaimer']);
const LISTS = {
  features: FeatureChoices,
  hours: HoursField,
  localized: LocalizedTexts,
  'policy-links': PolicyLinks,
  proactive: ProactiveRules,
} as const;

/** Id of what holds the field for the address of the token proxy. */
export const PROXY_FIELD = 'install-token-proxy';

/** Every option of the widget, in groups that open. */
export function OptionGroups({ setup, change }: GroupsProps): VNode {
  return (
    <form class="install-options" onSubmit={(event) => event.preventDefault()}>
      {OPTION_GROUPS.map(([title, names], place) => (
        <Group key={title} title={title} isOpen={place < 3} count={countOf(setup, names)}>
          {title === 'Where it runs' && (
            <div class="install-address">
              <TextField
                label="Site address"
                type="url"
                value={setup.site}
                placeholder="https://www.example.com"
                hint="Where the chat will appear, for the token proxy’s settings and the check of your site below."
                onInput={({ currentTarget }) => change({ site: currentTarget.value })}
              />
            </div>
          )}
          {title === 'Colours and look' && (
            <SelectField
              label="Ready theme"
              value={setup.sheet}
              options={[['', 'None'], ...THEMES.map((name) => [name, name] as const)]}
              hint="A style sheet from the token proxy. Your own settings override it."
              onChange={({ currentTarget }) => change({ theme: currentTarget.value })}
            />
          )}
          {names.map((name) => (
            <OptionField
              key={name}
              name={name}
              value={setup.attributes[name] ?? ''}
              onChange={(value) => change(attributeChange(name, value))}
            />
          ))}
        </Group>
      ))}
      <Group title="Type, size and distances" isOpen={false} count={Object.keys(setup.properties).length}>
        {PROPERTIES.map(([name, description]) => (
          <TextField
            key={name}
            label={name}
            hint={description}
            value={setup.properties[name] ?? ''}
            spellcheck={false}
            onInput={({ currentTarget }) => change(propertyChange(name, currentTarget.value))}
          />
        ))}
      </Group>
    </form>
  );
}

const countOf = ({ attributes }: Setup, names: readonly AttributeName[]): number =>
  names.filter((name) => attributes[name] !== undefined).length;

function Group({
  title,
  isOpen,
  count,
  children,
}: {
  title: string;
  isOpen: boolean;
  count: number;
  children: ComponentChildren;
}): VNode {
  return (
    <details class="card" open={isOpen || count > 0}>
      <summary>
        <h2 class="grow">{title}</h2>
        {count > 0 && <span class="badge">{count} set</span>}
      </summary>
      <div class="install-group">{children}</div>
    </details>
  );
}

const wordsOf = (choice: string): string => CHOICES[choice] ?? choice;

/** The address of the token proxy: that of this installation, unless another is entered. */
function ProxyField(field: Parameters<typeof TextField>[0]): VNode {
  const known = tokenProxyUrl.value;
  return (
    <div id={PROXY_FIELD} class="install-address">
      <TextField
        {...field}
        type="url"
        spellcheck={false}
        placeholder={known ?? ''}
        hint={
          known === null
            ? 'Where browsers reach your token proxy, beginning with https://. The operator of your servers knows it.'
            : 'Leave it empty to use the token proxy of this installation.'
        }
      />
    </div>
  );
}

function OptionField({
  name,
  value,
  onChange,
}: {
  name: AttributeName;
  value: string;
  onChange: (value: string) => void;
}): VNode {
  const { values } = ATTRIBUTES[name];
  const field = {
    label: LABELS[name],
    code: `data-${name}`,
    hint: HINTS[name] ?? DESCRIPTIONS.get(name) ?? '',
    value,
    problem: findProblem(name, value),
  };
  const List = name in LISTS ? LISTS[name as keyof typeof LISTS] : null;
  if (List !== null) return <List {...field} onChange={onChange} />;
  const onInput = (event: { readonly currentTarget: { readonly value: string } }): void =>
    onChange(event.currentTarget.value);
  if (typeof values !== 'string')
    return (
      <SelectField
        {...field}
        options={[
          ['', wordsOf(values[0] ?? '')],
          ...values.slice(1).map((each) => [each, wordsOf(each)] as const),
        ]}
        onChange={onInput}
      />
    );
  if (values === 'switch')
    return (
      <SelectField
        {...field}
        options={[
          ['', 'Default'],
          ['true', 'Yes'],
          ['false', 'No'],
        ]}
        onChange={onInput}
      />
    );
  if (name === 'endpoint') return <ProxyField {...field} onInput={onInput} />;
  if (LONG.has(name)) return <TextArea {...field} rows={2} onInput={onInput} />;
  if (name !== 'accent') return <TextField {...field} spellcheck={false} onInput={onInput} />;
  return (
    <div class="install-accent">
      <TextField {...field} spellcheck={false} placeholder="#1166aa" onInput={onInput} />
      <TextField
        label="Choose accent color"
        isLabelHidden
        type="color"
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#1166aa'}
        onInput={onInput}
      />
    </div>
  );
}
