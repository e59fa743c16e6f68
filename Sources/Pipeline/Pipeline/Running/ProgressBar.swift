internal import Synchronization

/// A progress bar on the terminal, for work of known size; silent if there is no terminal.
package final class ProgressBar: Sendable {
  /// The unit in which the work is measured.
  package enum Unit: Sendable {
    case bytes, chains

    /// The speed of the work as text: `12.3 MB/s`, `19.8 chains/s`.
    fileprivate func rate(_ done: Int64, milliseconds: Int64) -> String {
      switch self {
      case .bytes:
        let rate = milliseconds > 0 ? done / 1000 * 1000 / milliseconds : 0
        return "\(rate / 1000).\(rate / 100 % 10) MB/s"
      case .chains:
        let tenths = milliseconds > 0 ? done * 10_000 / milliseconds : 0
        return "\(tenths / 10).\(tenths % 10) chains/s"
      }
    }
  }

  private struct State {
    var done: Int64 = 0
    var drawnAt: Int64 = 0
    var isDrawn = false
  }

  private let title: String
  private let total: Int64
  private let unit: Unit
  private let start: Int64
  private let isShown: Bool
  private let state = Mutex(State())

  convenience init(_ title: String, totalBytes: Int64, isShown: Bool = Terminal.isError) {
    self.init(title, total: totalBytes, unit: .bytes, isShown: isShown)
  }

  /// Creates a bar for `total` units of work; it is never drawn if `total` is 0.
  package init(_ title: String, total: Int64, unit: Unit, isShown: Bool = Terminal.isError) {
    self.title = title
    self.total = total
    self.unit = unit
    start = SystemClock.steadyMilliseconds
    self.isShown = isShown && total > 0
  }

  /// Adds finished units of work, and redraws the bar at most ten times per second.
  package func advance(by count: Int64) {
    guard isShown else { return }
    let now = SystemClock.steadyMilliseconds
    state.withLock { state in
      state.done += count
      guard now - state.drawnAt >= 100, now - start >= 300 else { return }
      state.drawnAt = now
      state.isDrawn = true
      let line = Self.line(
        title, done: state.done, total: total, milliseconds: now - start, width: Terminal.width,
        unit: unit)
      StandardError.write("\r\u{1B}[K" + line)
    }
  }

  package func finish() {
    state.withLock { state in
      if state.isDrawn { StandardError.write("\r\u{1B}[K") }
      state.isDrawn = false
    }
  }

  /// Formats the bar as text: percentage, rate and remaining time.
  static func line(
    _ title: String, done: Int64, total: Int64, milliseconds: Int64, width: Int,
    unit: Unit = .bytes
  ) -> String {
    let share = total > 0 ? min(100, done * 100 / total) : 100
    let perSecond = milliseconds > 0 ? max(1, done * 1000 / milliseconds) : 1
    let secondsLeft = max(0, total - done) / perSecond
    let figures =
      " \(share) %  \(unit.rate(done, milliseconds: milliseconds))  "
      + "\(secondsLeft / 60):\(secondsLeft % 60 < 10 ? "0" : "")\(secondsLeft % 60) left"
    let room = width - title.count - figures.count - 4
    guard room >= 10 else { return String((title + figures).prefix(max(0, width - 1))) }
    let filled = Int(share) * min(room, 40) / 100
    let bar =
      String(repeating: "█", count: filled)
      + String(repeating: "░", count: min(room, 40) - filled)
    return "\(title) \(bar)\(figures)"
  }
}
