import { describe, expect, it } from 'vitest';
import { fillTemplate } from './fill-template.ts';

const FACTS = {
  page: { first_name: 'Ana', 'order.id': 'A-1', blank: ' ' },
  attributes: { order: { id: 7, isPaid: true }, list: ['x'] },
};

describe('a template', () => {
  it.each([
    ['Hello {{page.first_name}}!', 'Hello Ana!'],
    ['Hello {{ page.first_name | there }}!', 'Hello Ana!'],
    ['Hello {{page.last_name|there}}!', 'Hello there!'],
    ['Hello{{page.last_name}}!', 'Hello!'],
    ['{{page.blank|nothing}}', 'nothing'],
    ['{{page.order.id}}', 'A-1'],
    ['{{attributes.order.id}} {{attributes.order.isPaid}}', '7 true'],
    ['{{attributes.order|none}} {{attributes.list|none}}', 'none none'],
    ['{{attributes.constructor|none}} {{page.first_name.length|none}}', 'none none'],
    ['{{state.secret}} {page.first_name} {{page}}', '{{state.secret}} {page.first_name} {{page}}'],
  ])('%j gives %j', (text, expected) => {
    expect(fillTemplate(text, FACTS)).toBe(expected);
  });

  it('shows a value as it is written, on one line and bounded', () => {
    const page = { name: '**x** [y](https://evil.example)\n# z `a`', long: 'a'.repeat(500) };
    expect(fillTemplate('{{page.name}}', { page, attributes: {} })).toBe(
      '\\*\\*x\\*\\* \\[y\\](https://evil.example) # z \\`a\\`',
    );
    expect(fillTemplate('{{page.long}}', { page, attributes: {} })).toHaveLength(200);
  });

  it('does not read placeholders that a value holds', () => {
    const facts = { page: { name: '{{attributes.secret}}' }, attributes: { secret: 's3' } };
    expect(fillTemplate('{{page.name}}', facts)).toBe('{{attributes.secret}}');
  });
});
