public import CivilTime

/// The settings of signed responses: for how many customers, and from which day on.
///
/// Example: `SignedShare(perMille: 300, from: day, keepsReceipts: false)` → three customers in ten
/// have signed transactions instead of receipts from that day on.
public struct SignedShare: Hashable, Sendable {
  /// The number of customers per thousand whose responses are signed.
  public var perMille: Int
  /// The first day on which responses are signed.
  ///
  /// Purchases before this day have no signed price, just as Apple's transactions before October
  /// 2023 have no price.
  public var firstDay: CivilDay
  /// Whether receipts are written in addition to the signed transactions.
  public var keepsReceipts: Bool

  /// Creates the settings; `perMille` is limited to 0 through 1000.
  public init(perMille: Int, from firstDay: CivilDay, keepsReceipts: Bool) {
    self.perMille = min(max(0, perMille), 1000)
    self.firstDay = firstDay
    self.keepsReceipts = keepsReceipts
  }

  /// Adds signed responses from ``firstDay`` on for some customers, chosen at random.
  ///
  /// If ``keepsReceipts`` is false, the signed responses replace the receipts of these days.
  func sign(_ accounts: inout [Account], seed: UInt64) {
    let start = firstDay.start.milliseconds
    for index in accounts.indices {
      var random = SampleRandom(seed: seed, stream: 1 << 42 | UInt64(index))
      guard random.happens(perMille: perMille) else { continue }
      sign(&accounts[index], from: start)
    }
  }

  private func sign(_ account: inout Account, from start: Int64) {
    var kept = account.uploads.filter { keepsReceipts || $0.at < start }
    for upload in account.uploads where upload.at >= start {
      if !keepsReceipts { sendReportAlone(upload.report, of: &account) }
      // A response without a purchase gives no transaction.
      guard !account.visible(at: upload.at).isEmpty else { continue }
      var signed = upload
      signed.report = -1
      signed.signedFrom = start
      kept.append(signed)
    }
    account.uploads = kept
    if !keepsReceipts { removeUnshownAliases(&account) }
  }

  /// Makes a report separate from its receipt record, with ``AccountReport/shownAt`` as
  /// `reported_at`.
  private func sendReportAlone(_ report: Int, of account: inout Account) {
    guard report >= 0 else { return }
    account.prices[report].isEmbedded = false
    account.prices[report].reportedAt = account.prices[report].shownAt
  }

  /// Replaces the alias id of each purchase that no receipt shows, by the purchase's usual id.
  ///
  /// Phones get alias ids only from receipts.
  private func removeUnshownAliases(_ account: inout Account) {
    var shown: Set<Int> = []
    for upload in account.uploads where upload.signedFrom == nil {
      shown.formUnion(
        account.visible(at: upload.at).filter {
          account.purchases[$0].knownFrom <= upload.inAppAsOf
        })
    }
    for index in account.purchases.indices where !shown.contains(index) {
      account.purchases[index].aliasID = account.purchases[index].id
    }
  }
}
