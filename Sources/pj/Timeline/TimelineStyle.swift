/// The style of a timeline's page.
enum TimelineStyle {
  /// The style sheet.
  static let text = #"""
    :root {
      color-scheme: light dark;
      --back: light-dark(#ffffff, #15181d); --raised: light-dark(#f6f7f9, #1d2128);
      --text: light-dark(#1b1f26, #e7eaef); --faint: light-dark(#59616e, #9aa3b1);
      --line: light-dark(#cfd5dd, #39414d); --soft: light-dark(#edf0f4, #20252d);
      --accent: light-dark(#0b5fd0, #6cacff); --dot: light-dark(#4a5463, #b4bdca); --hit: light-dark(#b0208f, #ff8ce4);
      --plain-fill: light-dark(#e3e7ec, #333a45); --plain-edge: light-dark(#77818f, #8d98a7);
      --idle-fill: light-dark(#f0f2f5, #272c34); --idle-edge: light-dark(#a9b2be, #5d6775);
      --pending-fill: light-dark(#d5e5fd, #1d3a63); --pending-edge: light-dark(#1f6fd6, #6cacff);
      --good-fill: light-dark(#d2efd9, #1b4429); --good-edge: light-dark(#1f8a3f, #56c878);
      --warning-fill: light-dark(#fdeac2, #4d3a10); --warning-edge: light-dark(#a86400, #f0b03f);
      --bad-fill: light-dark(#fcdcdc, #5a1f24); --bad-edge: light-dark(#c3262f, #ff7b80);
      --hue0-fill: light-dark(#dfe3fb, #2b3268); --hue0-edge: light-dark(#4c5bd4, #939eff);
      --hue1-fill: light-dark(#cfeeee, #124446); --hue1-edge: light-dark(#0b7d82, #4fc7cc);
      --hue2-fill: light-dark(#f3e0f7, #4a2656); --hue2-edge: light-dark(#9436ad, #d88cf0);
      --hue3-fill: light-dark(#fbe3d4, #56311b); --hue3-edge: light-dark(#b4541a, #f39a63);
      --hue4-fill: light-dark(#e6ecc9, #3a421a); --hue4-edge: light-dark(#66751a, #b9cb55);
      --hue5-fill: light-dark(#fadfeb, #572640); --hue5-edge: light-dark(#b8336f, #f58bbb);
      --hue6-fill: light-dark(#d9e9f5, #1f3e52); --hue6-edge: light-dark(#2a749f, #76bde6);
      --hue7-fill: light-dark(#ece4da, #433728); --hue7-edge: light-dark(#806142, #cfae88);
    }
    :root[data-theme="light"] { color-scheme: light; }
    :root[data-theme="dark"] { color-scheme: dark; }
    * { box-sizing: border-box; }
    html, body { height: 100%; margin: 0; }
    body {
      display: flex; flex-direction: column; overflow: hidden; background: var(--back); color: var(--text);
      font: 14px/1.45 system-ui, sans-serif;
    }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap; }
    bdi.value { unicode-bidi: isolate; overflow-wrap: anywhere; }
    header {
      display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; padding: 10px 16px;
      border-bottom: 1px solid var(--line); background: var(--raised);
    }
    .title { flex: 1 1 260px; min-width: 0; }
    h1 { margin: 0; font-size: 17px; line-height: 1.3; overflow-wrap: anywhere; }
    #subtitle { margin: 0; color: var(--faint); font-size: 12.5px; }
    .tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
    .group { display: flex; }
    .group > * { border-radius: 0; margin-left: -1px; }
    .group > :first-child { border-radius: 6px 0 0 6px; margin-left: 0; }
    .group > :last-child { border-radius: 0 6px 6px 0; }
    button, input {
      font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 6px;
      min-height: 32px; padding: 3px 11px;
    }
    button { cursor: pointer; }
    button:hover:not(:disabled) { background: var(--soft); }
    button:disabled { color: var(--faint); opacity: 0.6; cursor: default; }
    .group button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--back); }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; z-index: 1; }
    #plot:focus-visible { outline-offset: -2px; }
    #query { width: 220px; max-width: 50vw; }
    #hits { min-width: 84px; color: var(--faint); font-size: 12.5px; font-variant-numeric: tabular-nums; }
    #notes:not(:empty) {
      padding: 8px 16px; background: var(--warning-fill); border-bottom: 1px solid var(--warning-edge);
    }
    #notes p { margin: 0; }
    main { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 1fr) minmax(300px, 400px); }
    #chart { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
    .across { padding-left: 168px; flex: none; }
    #strip { display: block; margin: 6px 0; cursor: pointer; touch-action: none; }
    #ruler { display: block; }
    #rows { flex: 1; min-height: 0; overflow: hidden auto; display: grid; grid-template-columns: 168px minmax(0, 1fr);
      align-content: start; scrollbar-gutter: stable; }
    #chart .across { overflow: hidden; }
    #labels { border-right: 1px solid var(--line); min-width: 0; }
    #labels h2 {
      margin: 0; height: 26px; padding: 8px 0 0 16px; font-size: 11px; line-height: 17px; letter-spacing: 0.04em;
      text-transform: uppercase; color: var(--faint); border-bottom: 1px solid var(--line); white-space: nowrap;
    }
    #labels button {
      display: block; width: 100%; height: 34px; min-height: 0; padding: 0 10px 0 16px; text-align: start; border: 0;
      border-radius: 0; background: none; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
    }
    #labels button:hover, #labels button[aria-pressed="true"] { background: var(--soft); }
    #labels button[aria-pressed="true"] { box-shadow: inset 3px 0 var(--accent); font-weight: 600; }
    #labels button:focus-visible { outline-offset: -2px; }
    #plot { position: sticky; top: 0; display: block; touch-action: none; cursor: grab; }
    #panel {
      overflow: auto; padding: 12px 18px 24px; border-left: 1px solid var(--line);
      background: var(--raised); min-width: 0;
    }
    #panel h2 { margin: 6px 0 2px; font-size: 17px; line-height: 1.3; overflow-wrap: anywhere; }
    #panel h2 .number { color: var(--faint); font-weight: 500; }
    #panel h3 { margin: 18px 0 4px; font-size: 13px; }
    #panel p { margin: 6px 0; }
    .bar { display: flex; gap: 6px; }
    .bar .close { margin-left: auto; }
    .meta { color: var(--faint); font-size: 12.5px; }
    .remedy { padding-left: 10px; border-left: 3px solid var(--accent); }
    .card {
      display: block; width: 100%; margin: 6px 0; padding: 7px 11px; text-align: start; border: 1px solid var(--line);
      border-left: 4px solid var(--warning-edge); background: var(--back); border-radius: 6px; height: auto;
    }
    .card.bad { border-left-color: var(--bad-edge); }
    .card.plain, .card.idle { border-left-color: var(--plain-edge); }
    table { width: 100%; border-collapse: collapse; font-size: 12.5px; table-layout: fixed; }
    th, td { padding: 4px 0; vertical-align: top; border-top: 1px solid var(--line); text-align: start; }
    th { width: 36%; padding-right: 10px; font-weight: 400; color: var(--faint); overflow-wrap: anywhere; }
    .changes th { width: 50%; }
    td { font-variant-numeric: tabular-nums; }
    .arrow { color: var(--faint); }
    .link {
      min-height: 0; padding: 0; border: 0; background: none; color: var(--accent); text-align: start;
      text-decoration: underline; text-underline-offset: 2px;
    }
    .list { display: flex; flex-direction: column; align-items: flex-start; gap: 4px; }
    .explain { margin: 10px 0; padding: 8px 11px; border: 1px solid var(--line); border-radius: 6px;
      background: var(--back); }
    .explain summary { cursor: pointer; overflow-wrap: anywhere; }
    .explain summary span { color: var(--accent); font-weight: 600; }
    .rules { margin: 6px 0; padding-left: 22px; font-size: 13px; }
    .rules li { margin: 4px 0; }
    .rules .decides { font-weight: 600; }
    .rules em { color: var(--accent); font-style: normal; font-size: 12px; }
    .read { font-weight: 400; font-size: 12.5px; color: var(--faint); overflow-wrap: anywhere; }
    .holds { color: var(--good-edge); }
    .fails { color: var(--bad-edge); }
    code, kbd { font: 12px ui-monospace, monospace; overflow-wrap: anywhere; }
    kbd { padding: 1px 6px; border: 1px solid var(--line); border-radius: 4px; background: var(--back); }
    .legend { margin: 6px 0; padding: 0; list-style: none; font-size: 13px; }
    .legend li { display: flex; align-items: center; gap: 10px; margin: 5px 0; }
    .swatch { width: 30px; height: 15px; flex: none; border-left: 2px solid; border-bottom: 1px solid; }
    .swatch.plain { background: var(--plain-fill); border-color: var(--plain-edge); }
    .swatch.idle { background: var(--idle-fill); border-color: var(--idle-edge); }
    .swatch.pending { background: var(--pending-fill); border-color: var(--pending-edge); }
    .swatch.good { background: var(--good-fill); border-color: var(--good-edge); }
    .swatch.warning { background: var(--warning-fill); border-color: var(--warning-edge); }
    .swatch.bad { background: var(--bad-fill); border-color: var(--bad-edge); }
    .swatch.dotted { width: 8px; height: 8px; margin: 0 11px; border: 0; border-radius: 4px; background: var(--dot); }
    .swatch.diamond { width: 9px; height: 9px; margin: 0 10px 0 11px; border: 0; background: var(--warning-edge);
      transform: rotate(45deg); }
    #tip {
      position: fixed; z-index: 3; max-width: min(420px, 90vw); padding: 7px 11px;
      pointer-events: none; font-size: 12.5px;
      background: var(--back); border: 1px solid var(--line); border-radius: 6px;
      box-shadow: 0 4px 14px rgb(0 0 0 / 0.2);
    }
    #tip > * { display: block; }
    #tip i { color: var(--faint); }
    dialog {
      max-width: 480px; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 10px;
    }
    dialog::backdrop { background: rgb(0 0 0 / 0.4); }
    dialog h2 { margin: 0 0 8px; font-size: 17px; }
    dialog dl { display: grid; grid-template-columns: auto 1fr; gap: 7px 16px; margin: 0 0 16px; }
    dialog dd { margin: 0; }
    @media (max-width: 900px) {
      main { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1.2fr) minmax(0, 1fr); }
      #panel { border-left: 0; border-top: 1px solid var(--line); padding: 10px 14px 20px; }
    }
    @media (max-width: 560px) {
      header { padding: 8px 12px; gap: 6px 12px; }
      .across { padding-left: 96px; }
      #rows { grid-template-columns: 96px minmax(0, 1fr); }
      #labels h2, #labels button { padding-left: 8px; padding-right: 4px; font-size: 11px; }
      #labels h2 { font-size: 9.5px; letter-spacing: 0; overflow: hidden; text-overflow: ellipsis; }
      #query { width: 150px; }
      #hits { min-width: 0; }
    }
    @media print { body { overflow: visible; } }
    """#
}
