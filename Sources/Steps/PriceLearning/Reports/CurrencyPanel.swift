internal import Amounts
internal import Parallel

/// The voters of one storefront, and the currencies that each of them reports.
///
/// Voters, currencies and votes are numbered from 0 without gaps, so that counting uses arrays, not
/// hashing. A voter has one vote per currency, regardless of the number of reports. Example: a
/// voter with five reports in USD and one in EUR has two votes.
struct CurrencyPanel: Sendable {
  struct Vote: Sendable {
    var number: Int32
    var voter: Int32
    var currency: Int32
  }

  /// The vote of each report, in the order of the reports.
  let votes: [Vote]
  /// The index of each voter's first vote; the last element is the number of votes.
  private(set) var firstVotes: [Int32] = []
  /// The currency of each vote.
  private(set) var currencies: [Int32] = []
  let currencyCount: Int

  /// Numbers the voters, currencies and votes of reports.
  init(_ reports: [(voter: Voter, currency: Currency)]) {
    var numbers: [Currency: Int32] = [:]
    for report in reports where numbers[report.currency] == nil {
      numbers[report.currency] = Int32(numbers.count)
    }
    currencyCount = numbers.count
    var byCurrency = reports.enumerated().map { index, report in
      KeyedIndex(key: UInt64(numbers[report.currency] ?? 0), index: UInt32(index))
    }
    byCurrency.sort()
    let voters = DenseNumbers(
      byCurrency.map {
        KeyedIndex(key: reports[Int($0.index)].voter.rawValue.sortKey, index: $0.index)
      })
    var votes = [Vote](
      repeating: Vote(number: 0, voter: 0, currency: 0), count: reports.count)
    for element in voters.order {
      let report = Int(element.index)
      let (voter, currency) = (voters.numbers[report], numbers[reports[report].currency] ?? 0)
      let isSameVoter = firstVotes.count == voter + 1
      if !isSameVoter { firstVotes.append(Int32(currencies.count)) }
      if !isSameVoter || currencies.last != currency { currencies.append(currency) }
      votes[report] = Vote(number: Int32(currencies.count - 1), voter: voter, currency: currency)
    }
    firstVotes.append(Int32(currencies.count))
    self.votes = votes
  }
}

/// The number of voters of each currency in the 60 days before, or after, a report.
struct CurrencyCount {
  private let panel: CurrencyPanel
  private var reports: [Int32]  // by vote
  private var votes: [Int32]  // by voter: those with a report
  private var voters: [Int32]  // by currency
  private var speaking = 0  // voters with a report

  init(_ panel: CurrencyPanel) {
    self.panel = panel
    reports = Array(repeating: 0, count: panel.currencies.count)
    votes = Array(repeating: 0, count: panel.firstVotes.count)
    voters = Array(repeating: 0, count: panel.currencyCount)
  }

  mutating func add(_ vote: CurrencyPanel.Vote) {
    reports[Int(vote.number)] += 1
    guard reports[Int(vote.number)] == 1 else { return }
    voters[Int(vote.currency)] += 1
    votes[Int(vote.voter)] += 1
    if votes[Int(vote.voter)] == 1 { speaking += 1 }
  }

  /// Removes a report that was added before.
  mutating func remove(_ vote: CurrencyPanel.Vote) {
    reports[Int(vote.number)] -= 1
    guard reports[Int(vote.number)] == 0 else { return }
    voters[Int(vote.currency)] -= 1
    votes[Int(vote.voter)] -= 1
    if votes[Int(vote.voter)] == 0 { speaking -= 1 }
  }

  /// Returns true if other voters report the vote's currency, and fewer or equally many report any
  /// other currency.
  ///
  /// `nil` with fewer than three other voters.
  func agrees(with vote: CurrencyPanel.Vote) -> Bool? {
    let others = speaking - (votes[Int(vote.voter)] > 0 ? 1 : 0)
    guard others >= CurrencyMismatches.leastVoters else { return nil }
    let own = voters[Int(vote.currency)] - (reports[Int(vote.number)] > 0 ? 1 : 0)
    guard own > 0 else { return false }
    return voters.indices.allSatisfy { other in
      other == vote.currency || voters[other] <= own
        || voters[other] == own + 1 && hasReport(of: vote.voter, in: Int32(other))
    }
  }

  private func hasReport(of voter: Int32, in currency: Int32) -> Bool {
    (panel.firstVotes[Int(voter)]..<panel.firstVotes[Int(voter) + 1]).contains { vote in
      panel.currencies[Int(vote)] == currency && reports[Int(vote)] > 0
    }
  }
}
