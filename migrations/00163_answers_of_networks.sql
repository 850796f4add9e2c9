-- +goose Up

-- Answers of networks that show posts are read again, too.
COMMENT ON COLUMN responses.kind IS 'Of answers about no single account of a site: bulk, stream or canary; of a network that was asked for posts: poll; '''': any other one.';
COMMENT ON COLUMN responses.question IS 'The body of the request; '''': a GET. Of forums the step, of streams the place, of networks the posts that were asked for, as JSON.';
