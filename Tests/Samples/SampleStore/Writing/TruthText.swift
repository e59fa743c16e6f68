internal import CivilTime

extension StoreTruth {
  /// Writes the purchases as CSV; transaction ids of one purchase are separated by spaces.
  ///
  /// The last column has the reason why an amount is resolvable or not.
  func purchasesCSV() -> [UInt8] {
    var csv = JSONBytes()
    csv.raw(
      "transaction_ids,product_id,kind,currency,paid_milli,is_resolvable,exclusion,reversal,reversed_at,purchased_at"
    )
    csv.raw(",evidence\n")
    for purchase in purchases {
      csv.raw(purchase.transactionIDs.joined(separator: " "))
      csv.raw(",\(purchase.productID),\(purchase.kind),\(purchase.currency),")
      csv.number(purchase.paidMilli)
      csv.raw(purchase.isResolvable ? ",yes," : ",no,")
      csv.raw("\(purchase.exclusion),\(purchase.reversal),")
      if let reversedAt = purchase.reversedAt {
        csv.dateAndTime(reversedAt, separator: UInt8(ascii: "T"))
        csv.raw("Z")
      }
      csv.raw(",")
      csv.dateAndTime(purchase.purchasedAt, separator: UInt8(ascii: "T"))
      csv.raw("Z,\(purchase.evidence)\n")
    }
    return csv.bytes
  }

  /// Writes the offer periods as CSV; every row has the as-of time of its status.
  func offersCSV() -> [UInt8] {
    var csv = JSONBytes()
    csv.raw("transaction_id,kind,status,converted_by,as_of,is_result_seen\n")
    for offer in offers {
      csv.raw("\(offer.transactionID),\(offer.kind),\(offer.status),\(offer.convertedBy),")
      csv.dateAndTime(asOf, separator: UInt8(ascii: "T"))
      csv.raw(offer.isResultSeen ? "Z,yes\n" : "Z,no\n")
    }
    return csv.bytes
  }

  /// Reads the truth of a store from the texts of `truth.csv` and `truth-offers.csv`.
  ///
  /// `nil` if a line has a form that ``SyntheticStore`` does not write. Other generators may leave
  /// out the last column of the offers: then all results are seen.
  public init?(purchasesCSV: String, offersCSV: String) {
    self.init(asOf: 0, purchases: [], offers: [])
    for line in purchasesCSV.split(separator: "\n").dropFirst() {
      guard let purchase = Self.purchase(line) else { return nil }
      purchases.append(purchase)
    }
    for line in offersCSV.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard (5...6).contains(fields.count), let time = Instant(text: fields[4])
      else { return nil }
      asOf = time.milliseconds
      offers.append(
        TruthOffer(
          transactionID: fields[0], kind: fields[1], status: fields[2], convertedBy: fields[3],
          isResultSeen: fields.count == 5 || fields[5] == "yes"))
    }
  }

  private static func purchase(_ line: Substring) -> TruthPurchase? {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard fields.count >= 10, let paid = Int64(fields[4]), let time = Instant(text: fields[9])
    else { return nil }
    return TruthPurchase(
      transactionIDs: fields[0].split(separator: " ").map(String.init), productID: fields[1],
      kind: fields[2], currency: fields[3], paidMilli: paid, isResolvable: fields[5] == "yes",
      exclusion: fields[6], reversal: fields[7],
      reversedAt: Instant(text: fields[8])?.milliseconds, purchasedAt: time.milliseconds,
      evidence: fields.count > 10 ? fields[10] : "")
  }
}
