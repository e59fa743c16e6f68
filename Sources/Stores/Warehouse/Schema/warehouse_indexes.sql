-- Made last in a new file, from the finished rows; later runs change them with the rows.
CREATE INDEX fct_revenue_by_date ON fct_revenue (purchased_date, product_kind, access_ends_at);
CREATE INDEX fct_revenue_by_chain ON fct_revenue (original_transaction_id);
CREATE INDEX fct_revenue_by_status ON fct_revenue (price_status, paid_milli);
CREATE INDEX bridge_transaction_id_by_purchase ON bridge_transaction_id (purchase_key);
CREATE INDEX price_evidence_by_series
  ON price_evidence (product_id, currency, bundle_id, price_milli, verdict);
CREATE INDEX price_evidence_by_file ON price_evidence (source_file_id);
CREATE INDEX fct_revenue_entry_of_items ON fct_revenue_entry (purchase_key)
  WHERE entry_key & ~3 <> purchase_key & ~3;
