internal import CivilTime

extension StoreTruth {
  /// The purchases as CSV; transaction ids of one purchase are separated by spaces.
  func purchasesCSV() -> [UInt8] {
    var csv = JSONBytes()
    csv.raw(
      "transaction_ids,product_id,kind,currency,paid_milli,is_resolvable,exclusion,reversal,reversed_at,purchased_at\n"
    )
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
      csv.raw("Z\n")
    }
    return csv.bytes
  }

  /// The offer periods as CSV, with the as-of they are judged at in every row.
  func offersCSV() -> [UInt8] {
    var csv = JSONBytes()
    csv.raw("transaction_id,kind,status,converted_by,as_of\n")
    for offer in offers {
      csv.raw("\(offer.transactionID),\(offer.kind),\(offer.status),\(offer.convertedBy),")
      csv.dateAndTime(asOf, separator: UInt8(ascii: "T"))
      csv.raw("Z\n")
    }
    return csv.bytes
  }
}
