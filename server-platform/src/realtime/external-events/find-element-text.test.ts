import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../test/realtime/external-events/read-whole-body.ts';
import { findElementText as findInSlices } from './find-element-text.ts';

const findElementText = (xml: string, path: readonly string[]): string | null =>
  atOnce(findInSlices(xml, path));

const ORDER = `<?xml version="1.0" encoding="UTF-8"?>
<!-- from the shop -->
<order state="paid &amp; shipped">
  <lines><line/><line nr='2'>second</line></lines>
  <meta><cid> evt_1 </cid><cid>evt_2</cid></meta>
</order>`;

describe('the text of an element (EE-2)', () => {
  it.each([
    ['meta.cid', 'evt_1'],
    ['order.meta.cid', 'evt_1'],
    ['lines.line', ''],
  ])('finds %s below the root, with or without the name of the root', (path, text) => {
    expect(findElementText(ORDER, path.split('.'))).toBe(text);
  });

  const SOAP = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" n="1">
  <s:Body><m:order xmlns:m="urn:shop" m:id=" evt_&#49; " n="2">text<m:id kind="x">evt_2</m:id></m:order></s:Body>
</s:Envelope>`;
  it.each([
    [['Body', 'order', 'id'], 'evt_2'],
    [['s:Body', 'm:order', 'm:id'], 'evt_2'],
    [['Envelope', 'Body', 'order', 'id'], 'evt_2'],
    [['Body', 'order', '@id'], 'evt_1'],
    [['Body', 'order', '@m:id'], 'evt_1'],
    [['@n'], '1'],
    [['Body', 'order', '@n'], '2'],
    [['Body', 'order'], 'textevt_2'],
    [['Body', 'order', '@other'], null],
    [['x:Body', 'order', 'id'], null],
  ])('finds %j by local names, and attributes', (path, text) => {
    expect(findElementText(SOAP, path)).toBe(text);
  });

  it('prefers the path below the root when both match', () => {
    expect(findElementText('<a><a><b>inner</b></a><b>outer</b></a>', ['a', 'b'])).toBe('inner');
  });

  it('reads CDATA, built-in entities, character references and text around comments as one text', () => {
    const xml = '<r><id>e<![CDATA[v<t]]>_<!-- no -->&amp;&#65;&#x42;<?pi?>&lt;</id></r>';
    expect(findElementText(xml, ['id'])).toBe('ev<t_&AB<');
  });

  it('reads a document with a byte order mark', () => {
    expect(findElementText('\uFEFF<r><id>x</id></r>', ['id'])).toBe('x');
  });

  it.each([
    ['a document type', '<!DOCTYPE r [<!ENTITY x "evt_1">]><r><id>&x;</id></r>'],
    ['an external entity', '<!DOCTYPE r SYSTEM "file:///etc/passwd"><r><id>evt_1</id></r>'],
    ['an entity that nobody declared', '<r><id>&evt;</id></r>'],
    ['an entity that nobody declared in an attribute', '<r a="&evt;"><id>evt_1</id></r>'],
    ['a bare ampersand', '<r><id>evt_1</id>&</r>'],
    ['elements that cross', '<r><a><id>evt_1</a></id></r>'],
    ['an element that does not end', '<r><id>evt_1</id>'],
    ['two roots', '<r><id>evt_1</id></r><r/>'],
    ['text outside the root', '<r><id>evt_1</id></r>more'],
    ['CDATA outside the root', '<r><id>evt_1</id></r><![CDATA[x]]>'],
    ['an open comment', '<r><id>evt_1</id></r><!-- '],
    ['an attribute without quotes', '<r a=1><id>evt_1</id></r>'],
    ['a reference to no character', '<r><id>&#0;</id></r>'],
    ['nothing', ''],
  ])('finds nothing in a document with %s', (_, xml) => {
    expect(findElementText(xml, ['id'])).toBeNull();
  });

  it('handles a megabyte of any input quickly', () => {
    const depth = 100_000;
    const deep = `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
    expect(findElementText(deep, ['id'])).toBeNull();
    expect(findElementText(`<a${' '.repeat(1_000_000)}`, ['id'])).toBeNull();
    expect(findElementText(`<r>${'&amp;'.repeat(200_000)}<id>evt_1</id></r>`, ['id'])).toBe('evt_1');
  });

  it("finds an element's text in any surroundings", () => {
    const name = fc.constantFrom('a', 'b', 'ns:c', 'd-1');
    const noise = fc.constantFrom(
      '',
      ' ',
      '<!-- <x> -->',
      '<?pi <x>?>',
      '<![CDATA[<x>&]]>',
      '&amp;',
      '<other x="1"/>',
    );
    const text = fc.string({ maxLength: 20 }).map((said) => said.replace(/[^\x21-\x7e]/g, '_'));
    const escaped = (said: string): string => said.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 6 }),
        text,
        noise,
        noise,
        (path, said, before, after) => {
          const opened = path.map((each) => `${before}<${each} k='v'>`).join('');
          const closed = path
            .toReversed()
            .map((each) => `</${each}>${after}`)
            .join('');
          const xml = `<root>${opened}${escaped(said)}${closed}</root>`;
          expect(findElementText(xml, path)).toBe(said.trim());
        },
      ),
    );
  });

  it('returns for any input, well-formed or not', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<',
        '>',
        '</',
        '/>',
        '<a',
        '</a>',
        '<a>',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '&',
        '&#',
        ';',
        '"',
        '=',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.string()), (pieces, path) => {
        const found = findElementText(pieces.join(''), path);
        expect(found === null || typeof found === 'string').toBe(true);
      }),
    );
  });
});
