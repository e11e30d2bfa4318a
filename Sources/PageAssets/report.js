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
  for (const body of document.querySelectorAll('tbody')) body.hidden = !body.querySelector('tr.row:not([hidden])');
  byId('none').hidden = count > 0;
  byId('count').textContent = count === 1 ? '1 setting' : `${count} settings`;
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
document.querySelector('.tools').hidden = false;
show();
document.documentElement.dataset.ready = 1;
