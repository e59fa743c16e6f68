internal import Amounts
internal import CivilTime
package import Diagnostics
internal import Glibc
internal import PaidAmounts
package import Pipeline
internal import PurchaseModel
internal import Purchases

/// A corrected amount that the owner gives on the command line.
package struct GivenCorrection {
  let transactionID: String
  let amount: String
  let currency: String?
  let reason: String
  let by: String?

  /// Creates a correction from the arguments of the command line.
  package init(
    transactionID: String, amount: String, currency: String?, reason: String, by: String?
  ) {
    self.transactionID = transactionID
    self.amount = amount
    self.currency = currency
    self.reason = reason
    self.by = by
  }

  /// Adds the correction as a line of the corrections file.
  ///
  /// - Throws: ``RunFailure`` with status 64 for an invalid amount, currency, reason or name, 65 if
  ///   the correction would have no effect, and 78 if the pipeline has no corrections file or the
  ///   purchase already has a correction.
  package func write(
    _ definition: PipelineDefinition, for purchase: ExplainedPurchase,
    settings: ReconstructSettings
  ) throws(RunFailure) -> String {
    guard let path = definition.correctionsPath else {
      throw RunFailure(
        .badConfiguration,
        "\(OneLine.text(definition.path)): expected inputs.corrections to name a file, such as "
          + "corrections: corrections.yaml")
    }
    guard let price = try? Milliunits(decimal: amount) else {
      throw RunFailure(
        .usage, "--correct expects an amount such as 9.99, found \(OneLine.text(amount))")
    }
    try checkTexts()
    let known = try found(purchase, settings: settings)
    guard let currency = try currency(beside: known) else {
      throw RunFailure(.usage, "the currency of the purchase is not known: name it with --currency")
    }
    if let expected = CorrectionsFile.expectedAmount(instead: price, in: currency) {
      throw RunFailure(.usage, "--correct expects \(expected), found \(OneLine.text(amount))")
    }
    let entry = CorrectionsFile.Entry(
      transactionID: transactionID, amount: price, currency: currency, reason: reason,
      givenBy: by ?? Self.user, givenOn: SystemClock.now.day)
    let book = purchase.household.purchases
    let symbols = purchase.all.observations.symbols
    let place = try CorrectionsFile.add(entry, to: path) { id in
      AppleNumber(known: id, in: symbols).flatMap { book.purchase(named: TransactionID($0)) }
        == purchase.position
    }
    return """
      \(OneLine.text(place.text)): transaction \(OneLine.text(transactionID)) is \
      \(price.text(in: currency)) from the next run on. Remove this line to undo the correction.
      """
  }

  /// Checks the reason and the name; throws if one of them is blank or has several lines.
  private func checkTexts() throws(RunFailure) {
    for (option, text, expected) in [
      ("--reason", reason, "the source of the amount, such as an invoice"),
      ("--by", by ?? Self.user, "the person who states the amount"),
    ] where CorrectionsFile.cleanText(text) == nil {
      throw RunFailure(
        .usage, "\(option) expects \(expected), on one line, found \"\(OneLine.text(text))\"")
    }
  }

  /// Returns the current amount of the purchase; throws if a correction would have no effect.
  private func found(_ purchase: ExplainedPurchase, settings: ReconstructSettings)
    throws(RunFailure) -> PaidAmount
  {
    let book = purchase.household.purchases
    guard purchase.position < book.revenueCount else {
      let reason = book.purchases[purchase.position].exclusion?.rawValue ?? "excluded"
      throw refusal("the purchase is not revenue (\(reason))")
    }
    let trail = try RunFailure.ofOverflow { () throws(AmountError) in
      try purchase.household.evidence.trail(of: purchase.position, policy: settings.renewalPolicy)
    }
    let now = trail.amount
    switch now.rule {
    case .signedPrice: throw refusal("Apple signed \(text(now))")
    case .appleReport: throw refusal("Apple's own reports prove \(text(now))")
    case .conflict:
      throw refusal(
        "the exports contradict each other about the purchase; correct the exports")
    case .freeTrial: throw refusal("the purchase is a free trial")
    case .freeOffer: throw refusal("the purchase is a free offer")
    default: return now
    }
  }

  private func currency(beside known: PaidAmount) throws(RunFailure) -> Currency? {
    guard let currency else { return known.currency }
    guard let given = Currency(currency) else {
      throw RunFailure(
        .usage, "--currency expects three letters such as USD, found \(OneLine.text(currency))")
    }
    guard known.currency.map({ $0 == given }) ?? true else {
      throw refusal("the purchase is in \(known.currency?.code ?? "another currency")")
    }
    return given
  }

  private func refusal(_ reason: String) -> RunFailure {
    RunFailure(
      .dataRefused,
      "a correction of transaction \(OneLine.text(transactionID)) would have no effect: \(reason)")
  }

  private func text(_ amount: PaidAmount) -> String {
    guard let paid = amount.paid, let currency = amount.currency else { return "an amount" }
    return paid.text(in: currency)
  }

  /// The name of the user who runs the program, else the user id.
  private static var user: String {
    guard let entry = unsafe getpwuid(getuid()) else { return "user \(getuid())" }
    return unsafe String(cString: entry.pointee.pw_name)
  }
}
