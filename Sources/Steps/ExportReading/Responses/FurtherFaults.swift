internal import Diagnostics
internal import PurchaseModel

/// Finds all faults of a row, for a preview before a run.
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
}
