/// The elements of a timeline's page.
enum TimelineMarkup {
  /// The body up to the data.
  static let body = #"""
    <body>
    <header>
      <div class="title"><h1 id="title"></h1><p id="subtitle"></p></div>
      <div class="tools" role="search">
        <label class="hidden" for="query">Search for a type, an account or any text</label>
        <div class="group">
          <input id="query" type="search" placeholder="Search" spellcheck="false" autocomplete="off">
          <button id="previous-hit" type="button" aria-label="Previous match" title="Previous match">↑</button>
          <button id="next-hit" type="button" aria-label="Next match" title="Next match">↓</button>
        </div>
        <output id="hits" for="query"></output>
      </div>
      <div class="tools" role="toolbar" aria-label="View">
        <div class="group" role="group" aria-label="Axis">
          <button id="by-time" type="button" aria-pressed="true" title="Events stand at their times">Time</button>
          <button id="by-order" type="button" aria-pressed="false" title="Events stand side by side">Order</button>
        </div>
        <div class="group" role="group" aria-label="Zoom">
          <button id="zoom-out" type="button" aria-label="Zoom out" title="Zoom out">−</button>
          <button id="fit" type="button" title="Show everything">Fit</button>
          <button id="zoom-in" type="button" aria-label="Zoom in" title="Zoom in">+</button>
        </div>
        <button id="theme" type="button" aria-label="Light or dark" title="Light or dark">◐</button>
        <button id="help" type="button" aria-label="Keys" title="Keys">?</button>
      </div>
    </header>
    <div id="notes" role="note"></div>
    <noscript>This page is drawn by its own script, which this browser does not run.</noscript>
    <main>
      <section id="chart" aria-label="Timeline">
        <div class="across">
          <canvas id="strip" aria-hidden="true"></canvas>
          <canvas id="ruler" aria-hidden="true"></canvas>
        </div>
        <div id="rows">
          <div id="labels"></div>
          <div><canvas id="plot" tabindex="0" role="application" aria-roledescription="timeline"></canvas></div>
        </div>
      </section>
      <aside id="panel" aria-label="Details"></aside>
    </main>
    <div id="tip" role="tooltip" hidden></div>
    <div id="live" class="hidden" aria-live="polite"></div>
    <i id="probe" hidden></i>
    <dialog id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        <dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>move along the time, in the drawing</dd>
        <dt><kbd>↑</kbd> <kbd>↓</kbd></dt><dd>choose a lane, in the drawing</dd>
        <dt><kbd>Shift</kbd> <kbd>←</kbd> <kbd>→</kbd></dt><dd>previous or next event of the lane</dd>
        <dt><kbd>p</kbd> <kbd>n</kbd></dt><dd>previous or next event of all lanes</dd>
        <dt><kbd>m</kbd> <kbd>M</kbd></dt><dd>next or previous finding or mark</dd>
        <dt><kbd>Enter</kbd></dt><dd>go to the details of the event</dd>
        <dt><kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd></dt><dd>zoom in, zoom out, show everything; so does the wheel</dd>
        <dt><kbd>o</kbd></dt><dd>events at their times, or side by side</dd>
        <dt><kbd>/</kbd></dt><dd>search; Enter and Shift Enter step through the matches</dd>
        <dt><kbd>t</kbd></dt><dd>light or dark</dd>
        <dt><kbd>Esc</kbd></dt><dd>close the details</dd>
      </dl>
      <button id="close-keys" type="button">Close</button>
    </dialog>

    """#
}
