import { describe, expect, it } from 'vitest';
import { ATTRIBUTES, readAttributes } from './read-attributes.ts';

const read = (attributes: Readonly<Record<string, string>>) =>
  readAttributes((name) => attributes[name] ?? null);

const TEXTS = [
  ['endpoint', 'endpoint'],
  ['connector', 'connector'],
  ['agent-name', 'agentName'],
  ['avatar', 'avatarUrl'],
  ['title', 'title'],
  ['accent', 'accent'],
  ['language', 'language'],
  ['welcome', 'welcome'],
  ['disclaimer', 'disclaimer'],
  ['policy-links', 'policyLinks'],
  ['localized', 'localized'],
  ['contact-url', 'contactUrl'],
] as const;

const CHOICES = [
  ['theme', 'theme', ['light', 'dark', 'auto']],
  ['position', 'position', ['end', 'start']],
  ['render-mode', 'renderMode', ['default', 'fullscreen']],
  ['platform', 'platform', ['web', 'ios', 'android']],
] as const;

const FLAGS = [
  ['auto-open', 'autoOpen'],
  ['show-icon', 'showLauncher'],
  ['show-header', 'showHeader'],
  ['consent', 'consent'],
] as const;

describe('attributes', () => {
  it('are all covered here', () => {
    const covered = [...TEXTS, ...CHOICES, ...FLAGS].map(([name]) => name);
    expect(covered.toSorted()).toEqual(ATTRIBUTES.toSorted());
  });

  it.each(TEXTS)('%s is the text of %s, without white space around it', (name, option) => {
    expect(read({ [name]: ' some text ' })).toEqual({ [option]: 'some text' });
    // A text that reads like a flag stays one.
    expect(read({ [name]: 'true' })).toEqual({ [option]: 'true' });
  });

  it.each(CHOICES)('%s is one of the values of %s', (name, option, values) => {
    for (const value of values) expect(read({ [name]: value })).toEqual({ [option]: value });
  });

  it.each(FLAGS)('%s switches %s', (name, option) => {
    expect(read({ [name]: 'true' })).toEqual({ [option]: true });
    expect(read({ [name]: 'false' })).toEqual({ [option]: false });
  });

  it.each([...CHOICES, ...FLAGS].map(([name]) => name))(
    '%s counts as not given when its value is unknown',
    (name) => {
      expect(read({ [name]: 'sideways' })).toEqual({});
      expect(read({ [name]: 'TRUE' })).toEqual({});
    },
  );

  it.each(ATTRIBUTES)('%s counts as not given when it is empty', (name) => {
    expect(read({ [name]: '' })).toEqual({});
    expect(read({ [name]: '  ' })).toEqual({});
  });
});
