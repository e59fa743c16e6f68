public import PurchaseModel

/// Receives the rows of a file in parts, so that a file of any size needs little memory.
///
/// Only at the end of the file it is known whether the file is usable. If reading fails, the rows
/// received before must be discarded.
public struct RowBatches {
  /// The size of a part, in bytes of rows.
  public var bytes: Int
  /// Receives a part of the rows.
  ///
  /// The part's symbols include those of all earlier parts. Returning false ends the reading with
  /// ``ExportError/cancelled``.
  ///
  /// A closure that stores the part's symbols causes the reader to copy them.
  public var take: (Observations) -> Bool

  /// Discards the received rows, because the file will be read again from its beginning.
  public var restart: () -> Void

  /// Creates the callbacks for a file that is read in parts.
  public init(
    bytes: Int, take: @escaping (Observations) -> Bool, restart: @escaping () -> Void
  ) {
    self.bytes = max(1, bytes)
    self.take = take
    self.restart = restart
  }
}

extension Observations {
  /// The size of the rows in bytes, without texts and unused capacity.
  public var rowBytes: Int {
    records.count * MemoryLayout<ReceiptRecord>.stride
      + observations.count * MemoryLayout<TransactionObservation>.stride
      + renewals.count * MemoryLayout<RenewalObservation>.stride
      + reports.count * MemoryLayout<PriceReport>.stride
      + offers.count * MemoryLayout<OfferPrice>.stride
  }
}
