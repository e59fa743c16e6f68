internal import Amounts
internal import CivilTime
internal import Diagnostics
package import Warehouse

extension CorrectionsFile {
  /// The corrections as rows of the table `audit_correction`, in the order of the file.
  var records: [CorrectionRecord] {
    entries.map { entry in
      CorrectionRecord(
        transactionID: entry.transactionID, amountMilli: entry.amount.rawValue,
        currency: entry.currency.code, reason: entry.reason, givenBy: entry.givenBy,
        givenOn: entry.givenOn.text)
    }
  }

  /// Returns a warning for each correction that has no effect and is probably a mistake.
  ///
  /// Example: the correction of an unknown transaction. A correction with the amount that Apple
  /// signed has no effect either, but is not a mistake.
  func faults(_ published: [PublishedCorrection]) -> [WarningThrottle.Found] {
    published.filter(\.isMistake).map { correction in
      let id = correction.record.transactionID
      let place = entries.first { $0.transactionID == id }?.place.text ?? "the corrections"
      return WarningThrottle.Found(
        fault: "correction \(id)",
        message: """
          \(OneLine.text(place)): the correction of transaction \(OneLine.text(id)) has no effect: \
          \(correction.effectText). \(DocsPage.rules.reference)
          """, duration: .standing)
    }
  }
}

extension PublishedCorrection {
  /// The amount in the corrections file, with its currency: `9.99 USD`.
  package var amountText: String {
    Currency(record.currency).map { Milliunits(record.amountMilli).text(in: $0) }
      ?? "\(record.amountMilli) \(record.currency)"
  }

  /// The effect of the correction in words, or the reason why it has no effect.
  package var effectText: String {
    func text(_ milli: Int64?) -> String {
      guard let milli else { return "not known" }
      return Currency(record.currency).map { Milliunits(milli).text(in: $0) } ?? "\(milli)"
    }
    return switch effect {
    case .used:
      "in force"
        + (without.map { "; without this line \(text($0.paidMilli)) (\($0.rule))" } ?? "")
    case .unknownTransaction: "no export that was read has this transaction"
    case .repeated(let first):
      "an earlier line corrects the same purchase, as transaction \(OneLine.text(first)); "
        + "remove one of the two lines"
    case .excluded(let reason): "the purchase is not revenue (\(reason))"
    case .signed(let milli) where milli == record.amountMilli: "Apple signed the same amount"
    case .signed(let milli): "Apple signed \(text(milli))"
    case .otherCurrency(let currency): "the purchase is in \(currency), not \(record.currency)"
    case .free: "the purchase is a free trial or a free offer"
    case .otherRule(let rule): "the rule \(rule) has priority over corrections"
    }
  }
}
