'use strict';
const byId = id => document.getElementById(id);
const rows = [...document.querySelectorAll('tr.row')];
const view = { query: '', differentOnly: false };
function show() {
  const words = view.query.toLowerCase();
  let count = 0;
  for (const row of rows) {
    const isShown = (!view.differentOnly || row.classList.contains('different'))
      && (!words || row.textContent.toLowerCase().includes(words));
    row.hidden = !isShown;
    count += isShown;
  }
  for (const part of document.querySelectorAll('main tbody, main section')) part.hidden = !part.querySelector('tr.row:not([hidden])');
  byId('none').hidden = count > 0;
  byId('count').textContent = count === 1 ? '1 row' : `${count} rows`;
}
byId('query').addEventListener('input', event => { view.query = event.target.value.trim(); show(); });
byId('different').addEventListener('click', event => {
  view.differentOnly = !view.differentOnly;
  event.target.setAttribute('aria-pressed', view.differentOnly);
  show();
});
byId('theme').addEventListener('click', () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
});

// On a narrow screen, one document of a table at a time, with a switch.
const narrow = matchMedia('(max-width: 600px)');
function element(name, properties) { return Object.assign(document.createElement(name), properties); }
function choose(section, chosen) {
  const isSingle = narrow.matches;
  section.classList.toggle('single', isSingle);
  const table = section.querySelector('table');
  for (const row of table.rows) {
    if (row.classList.contains('section')) row.cells[0].colSpan = isSingle ? 2 : table.rows[0].cells.length;
    else [...row.cells].forEach((cell, index) => { cell.hidden = isSingle && index > 0 && index !== chosen; });
    row.classList.toggle('blank', isSingle && row.classList.contains('row') && !row.cells[chosen].textContent);
  }
}
for (const section of document.querySelectorAll('section')) {
  const headings = [...section.querySelectorAll('thead th')].slice(1);
  const first = headings.findIndex(heading => !heading.classList.contains('reference')) + 1;
  const select = element('select', { ariaLabel: 'Document' });
  for (const [index, heading] of headings.entries()) {
    const texts = [...heading.querySelectorAll('bdi')].map(text => text.textContent);
    select.append(element('option', { value: index + 1, textContent: texts.slice(0, 2).join(' · '), selected: index + 1 === first }));
  }
  const show = () => choose(section, Number(select.value));
  const step = (label, sign, by) => {
    const button = element('button', { type: 'button', ariaLabel: label, title: label, textContent: sign });
    button.addEventListener('click', () => {
      select.selectedIndex = (select.selectedIndex + by + headings.length) % headings.length;
      show();
    });
    return button;
  };
  const controls = element('div', { className: 'switch', role: 'group', ariaLabel: 'Document' });
  controls.append(step('Previous document', '‹', -1), select, step('Next document', '›', 1));
  select.addEventListener('change', show);
  const fit = () => {
    controls.remove();
    if (narrow.matches && headings.length > 1) section.querySelector('table').before(controls);
    show();
  };
  narrow.addEventListener('change', fit);
  fit();
}

// On paper, several tables of as many documents as a sheet has room for.
const mostOnPaper = 8;
const fewRows = 4;
function sheet(section, beside, own, title) {
  const columns = [0, ...beside, ...own];
  const made = element('section', {});
  if (title) made.append(element('h2', { textContent: title }));
  const table = section.querySelector('table');
  const copy = element('table', {});
  let before = 0;
  for (const part of [...table.children].filter(part => !part.hidden)) {
    // What no document of the sheet says anything about has no row.
    const says = row => !row.classList.contains('row') || own.some(index => row.cells[index].textContent);
    const kept = [...part.rows].filter(row => !row.hidden && says(row));
    if (!kept.some(row => !row.classList.contains('section'))) continue;
    const rows = kept.map(row => {
      const copied = row.cloneNode(false);
      const cells = row.classList.contains('section') ? [row.cells[0]] : columns.map(index => row.cells[index]);
      copied.append(...cells.map(cell => cell.cloneNode(true)));
      for (const cell of copied.cells) cell.hidden = false;
      if (row.classList.contains('section')) copied.cells[0].colSpan = columns.length;
      return copied;
    });
    const ownPart = part.cloneNode(false);
    ownPart.append(...rows);
    if (part.localName === 'tbody') {
      if (before > fewRows) { ownPart.classList.add('begins'); before = 0; }
      before += rows.length;
    }
    copy.append(ownPart);
  }
  made.append(copy);
  return made;
}
function sheets(section) {
  const headings = [...section.querySelectorAll('thead th')];
  const places = [...headings.keys()].slice(1);
  const beside = places.filter(index => headings[index].className);
  const documents = places.filter(index => !headings[index].className);
  const most = Math.max(2, mostOnPaper - beside.length);
  const name = section.querySelector('h2')?.firstChild.textContent.trim();
  const count = Math.max(1, Math.ceil(documents.length / most));
  return Array.from({ length: count }, (_, number) => {
    const own = documents.slice(number * most, (number + 1) * most);
    const range = count === 1 ? '' : `documents ${number * most + 1} to ${number * most + own.length} of ${documents.length}`;
    return sheet(section, beside, own, [name, range].filter(Boolean).join(': '));
  });
}
addEventListener('beforeprint', () => {
  byId('paper')?.remove();
  const paper = element('div', { id: 'paper' });
  const parts = [...document.querySelectorAll('main > *')].filter(part => !part.hidden);
  paper.append(...parts.flatMap(part => part.localName === 'section' ? sheets(part) : [part.cloneNode(true)]));
  document.body.append(paper);
  document.body.classList.add('on-paper');
});
addEventListener('afterprint', () => {
  document.body.classList.remove('on-paper');
  byId('paper')?.remove();
});

document.querySelector('.tools').hidden = false;
show();
document.documentElement.dataset.ready = 1;
