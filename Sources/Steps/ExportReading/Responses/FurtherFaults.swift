internal import Diagnostics
internal import PurchaseModel

/// Finds all faults of a row or report, for a preview before a run.
///
/// If a preview showed only the first fault of each record, a user would need one preview per
/// fault.
extension RecordReader {
  /// Finds all faults of a row.
  ///
  /// Example: a row with neither `transaction_id` nor `purchase_date`, and with the quantity `two`,
  /// has three faults.
  mutating func rowFaults(
    _ bank: FieldBank<ReceiptKey>, _ cursor: JSONCursor
  ) -> [FieldFault] {
    var faults: [FieldFault] = []
    func missing(_ reason: RejectReason, _ key: ReceiptKey) -> FieldFault {
      FieldFault(reason: reason, key: key.rawValue)
    }
    do throws(FieldFault) {
      if try fields.number(.transactionID, of: bank, in: cursor) == nil {
        faults.append(missing(.rowWithoutTransactionID, .transactionID))
      }
    } catch { faults.append(error) }
    do throws(FieldFault) {
      if try fields.symbol(.productID, of: bank, in: cursor) == nil {
        faults.append(missing(.rowWithoutProductID, .productID))
      }
    } catch { faults.append(error) }
    do throws(FieldFault) {
      if try fields.time(.purchaseMilliseconds, .purchaseDate, of: bank, in: cursor) == nil {
        faults.append(missing(.rowWithoutPurchaseDate, .purchaseDate))
      }
    } catch { faults.append(error) }
    for key in [ReceiptKey.isTrialPeriod, .isInIntroOfferPeriod, .isUpgraded] {
      do throws(FieldFault) { _ = try fields.flag(key, of: bank, in: cursor) } catch {
        faults.append(error)
      }
    }
    let times: [(ReceiptKey, ReceiptKey)] = [
      (.originalPurchaseMilliseconds, .originalPurchaseDate), (.expiresMilliseconds, .expiresDate),
      (.cancellationMilliseconds, .cancellationDate),
    ]
    for (milliseconds, text) in times {
      do throws(FieldFault) { _ = try fields.time(milliseconds, text, of: bank, in: cursor) } catch
      {
        faults.append(error)
      }
    }
    if let scalar = bank[.quantity], scalar.length > 0,
      !(0...1_000_000).contains((try? fields.integer(scalar, in: cursor)) ?? -1)
    {
      faults.append(missing(.rowInvalidQuantity, .quantity))
    }
    return faults
  }

  /// Stores the faults of a rejected report as rejects.
  ///
  /// `first` is the fault that rejected the report. Faults with the same reason as `first` are left
  /// out.
  mutating func keepFurtherFaults(of record: JSONCursor, besides first: JSONFault) {
    guard record.byte(at: 0) == Byte.openBrace else { return }
    var cursor = record
    guard let bank = try? scalars(of: &cursor) else { return }
    for fault in reportFaults(bank, record) where fault.reason != first.reason {
      keep(
        Reject(
          line: line, reason: fault.reason,
          detail: priceTables.report.name(ofRawValue: fault.key)))
    }
  }

  /// Reads the scalar values of a report's known keys.
  private func scalars(of cursor: inout JSONCursor) throws(JSONFault) -> FieldBank<PriceKey> {
    var bank = FieldBank<PriceKey>()
    try cursor.enter(1)
    var isFirst = true
    while let name = try cursor.nextKey(isFirst: &isFirst) {
      guard let key = priceTables.report.key(name, in: cursor), bank.note(key) else {
        try cursor.skipValue(level: 1)
        continue
      }
      let first = cursor.byte(at: cursor.position)
      if first == Byte.openBrace || first == Byte.openBracket {
        // Marks the key as present, so that it is not reported as missing.
        bank.store(Scalar(kind: .yes, start: Int32(cursor.position), length: 1), for: key)
        try cursor.skipValue(level: 1)
      } else {
        bank.store(try cursor.readScalar(), for: key)
      }
    }
    return bank
  }

  private mutating func reportFaults(
    _ bank: FieldBank<PriceKey>, _ cursor: JSONCursor
  ) -> [FieldFault] {
    var faults: [FieldFault] = []
    func isMissing(_ keys: PriceKey...) -> Bool { keys.allSatisfy { (bank[$0]?.length ?? 0) == 0 } }
    if isMissing(.productID) {
      faults.append(FieldFault(reason: .priceWithoutProduct, key: PriceKey.productID.rawValue))
    }
    if isMissing(.currency, .priceLocale) {
      faults.append(FieldFault(reason: .priceWithoutCurrency, key: PriceKey.currency.rawValue))
    } else if let scalar = bank[.currency], scalar.kind != .yes {
      do throws(FieldFault) { _ = try currency(scalar, cursor) } catch { faults.append(error) }
    }
    if isMissing(.price) {
      faults.append(FieldFault(reason: .priceWithoutPrice, key: PriceKey.price.rawValue))
    } else if let price = bank[.price], price.kind != .yes {
      do throws(FieldFault) { _ = try fields.amount(price, in: cursor) } catch {
        faults.append(error)
      }
    }
    if isMissing(.reportedAt, .reportedMilliseconds) {
      faults.append(FieldFault(reason: .priceWithoutTime, key: PriceKey.reportedAt.rawValue))
    } else {
      do throws(FieldFault) {
        _ = try fields.time(.reportedMilliseconds, .reportedAt, of: bank, in: cursor)
      } catch {
        faults.append(FieldFault(reason: .priceInvalidTime, key: error.key))
      }
    }
    return faults
  }
}
