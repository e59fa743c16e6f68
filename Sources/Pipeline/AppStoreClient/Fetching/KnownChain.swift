internal import CivilTime

/// The number of a chain (`original_transaction_id`).
typealias ChainNumber = UInt64

/// The state of a chain after earlier requests.
struct KnownChain: Hashable {
  /// The progress of fetching a chain's history.
  enum State: String, Hashable, CaseIterable {
    /// Only some pages have been fetched.
    case open
    /// The whole history has been fetched, up to the time in ``KnownChain/at``.
    case settled
    /// Apple returned the chain in the history of another chain of the same Apple account.
    case covered
    /// Apple does not know the chain.
    case rejected
  }

  var state: State
  /// The time at which this state was reached.
  var at: Instant
  /// The environment of the chain; `nil` if unknown or if the state is `covered`.
  var store: AppleEnvironment?
  /// Apple's revision token for the next page; `nil` if there is none.
  var revision: String?
  /// The chain whose history contained this chain, if the state is `covered`; else `nil`.
  var lead: ChainNumber?
}

extension KnownChain {
  /// The values in the chain's journal line.
  ///
  /// Example: `settled 1714557600000 production - 1714557600000_2000000400000017`; a hyphen stands
  /// for `nil`.
  var words: String {
    let words = [
      state.rawValue, String(at.milliseconds), store?.rawValue ?? "-",
      lead.map { String($0) } ?? "-", revision ?? "-",
    ]
    return words.joined(separator: " ")
  }

  /// Reads the values in a chain's journal line; `nil` for any other text.
  init?(words: some Collection<Substring>) {
    let words = words.map { $0 == "-" ? nil : $0 }
    guard words.count == 5, let state = words[0].flatMap({ State(rawValue: String($0)) }),
      let at = words[1].flatMap({ Int64($0) })
    else { return nil }
    self.state = state
    self.at = Instant(milliseconds: at)
    store = words[2].flatMap { AppleEnvironment(rawValue: String($0)) }
    lead = words[3].flatMap { ChainNumber($0) }
    revision = words[4].map(String.init)
  }

  /// Returns true if the journal can store a revision token, which must have no blanks.
  static func fits(_ revision: String) -> Bool {
    revision != "-" && revision.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}

/// The time span for which an environment's notifications were last requested.
struct KnownNotifications: Hashable {
  var from: Instant
  var through: Instant
  /// Apple's token for the next page; `nil` if the span is complete.
  var token: String?

  /// The values in the journal line about the notifications of an environment.
  var words: String { "\(from.milliseconds) \(through.milliseconds) \(token ?? "-")" }

  init(from: Instant, through: Instant, token: String?) {
    self.from = from
    self.through = through
    self.token = token
  }

  /// Reads the values in a journal line about notifications; `nil` for any other text.
  init?(words: some Collection<Substring>) {
    let words = Array(words)
    guard words.count == 3, let from = Int64(words[0]), let through = Int64(words[1]) else {
      return nil
    }
    self.init(
      from: Instant(milliseconds: from), through: Instant(milliseconds: through),
      token: words[2] == "-" ? nil : String(words[2]))
  }
}
